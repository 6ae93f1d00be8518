import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { Id, IdParams } from '../fields.ts'
import { PageQuery, pageOf } from '../paging.ts'
import {
  MetafieldOfCustomer,
  CustomerSetting,
  MAX_METAFIELD_SETTINGS,
  MetafieldDefinition,
  MetafieldKey,
  MetafieldName,
  MetafieldSetting,
  MetafieldUse,
  MetafieldValue,
  MetafieldValueType,
  NamespaceType,
} from './metafield.ts'

const area = 'metafields'
/** JSON of the largest values, escapes included. */
const VALUES_BODY_LIMIT_BYTES = 4 * 1024 * 1024

export const listMetafieldSettings = endpoint('GET', '/customer_metafield_settings', {
  area,
  summary: 'Metafields of customers that are kept here, newest first',
  access: 'member',
  query: PageQuery.extend({
    q: z.string().max(200, 'too_long').optional(),
    namespace_type: NamespaceType.optional(),
    sort: z.enum(['created_at', 'name', 'key', 'value_count']).default('created_at'),
    direction: z.enum(['asc', 'desc']).default('desc'),
  }),
  reply: pageOf(MetafieldSetting),
})

export const createMetafieldSetting = endpoint('POST', '/customer_metafield_settings', {
  area,
  summary: 'Keep a metafield; values of the store’s are then fetched. Without a name it is called by the day',
  access: 'marketer',
  status: 201,
  body: z.strictObject({
    name: MetafieldName.optional(),
    key: MetafieldKey,
    namespace_type: NamespaceType,
    value_type: MetafieldValueType,
  }),
  reply: z.object({ customer_metafield_setting: MetafieldSetting }),
})

export const getMetafieldSetting = endpoint('GET', '/customer_metafield_settings/{id}', {
  area,
  summary: 'One metafield, and what uses it',
  access: 'member',
  params: IdParams,
  reply: z.object({ customer_metafield_setting: MetafieldSetting, used_by: z.array(MetafieldUse) }),
})

export const changeMetafieldSetting = endpoint('PUT', '/customer_metafield_settings/{id}', {
  area,
  summary: 'Change the name or how values are read; key and namespace type stay what they were',
  access: 'marketer',
  params: IdParams,
  body: z.strictObject({
    name: MetafieldName.optional(),
    value_type: MetafieldValueType.optional(),
    key: MetafieldKey.optional(),
    namespace_type: NamespaceType.optional(),
  }),
  reply: z.object({ customer_metafield_setting: MetafieldSetting }),
})

export const deleteMetafieldSetting = endpoint('DELETE', '/customer_metafield_settings/{id}', {
  area,
  summary: 'Stop keeping a metafield that nothing uses, and drop its values here; the store keeps its own',
  access: 'marketer',
  params: IdParams,
  status: 204,
  replyKind: 'empty',
})

export const refetchMetafieldSetting = endpoint('POST', '/customer_metafield_settings/{id}/refetch', {
  area,
  summary: 'Fetch the values from the store again',
  access: 'marketer',
  params: IdParams,
  status: 202,
  reply: z.object({ customer_metafield_setting: MetafieldSetting }),
})

export const listMetafieldDefinitions = endpoint('GET', '/customer_metafield_definitions', {
  area,
  summary: 'The store’s own definitions of customer metafields, to choose from',
  access: 'member',
  reply: z.object({ definitions: z.array(MetafieldDefinition) }),
})

export const listCustomerMetafields = endpoint('GET', '/customers/{id}/metafields', {
  area,
  summary: 'Every kept metafield with the customer’s value, or none',
  access: 'member',
  params: IdParams,
  reply: z.object({ metafields: z.array(MetafieldOfCustomer) }),
})

export const changeCustomerMetafields = endpoint('PUT', '/customers/{id}/metafields', {
  area,
  summary: 'Set or clear (`null`) values of one customer; those of the store are set there first',
  access: 'marketer',
  params: IdParams,
  bodyLimitBytes: VALUES_BODY_LIMIT_BYTES,
  body: z.strictObject({
    metafields: z
      .array(z.strictObject({ setting_id: Id, value: MetafieldValue.nullable() }))
      .min(1, 'required')
      .max(MAX_METAFIELD_SETTINGS, 'too_long'),
  }),
  reply: z.object({ metafields: z.array(MetafieldOfCustomer) }),
})

export const getCustomerSetting = endpoint('GET', '/user/me/customer_settings', {
  area,
  summary: 'Which metafield holds the birthday, and how the birthdays are coming along',
  access: 'member',
  reply: z.object({ customerSetting: CustomerSetting }),
})

export const changeCustomerSetting = endpoint('PUT', '/user/me/customer_settings', {
  area,
  summary: 'Name the birthday metafield as namespace.key, or none',
  access: 'marketer',
  body: z.strictObject({
    customerSetting: z.strictObject({
      // Spec §5: 'Please enter the birthday metafield as namespace.key'.
      birthday_metafield: z
        .string('birthday_metafield_form')
        .trim()
        .refine((text) => MetafieldKey.safeParse(text).success, 'birthday_metafield_form')
        .nullable(),
    }),
  }),
  reply: z.object({ customerSetting: CustomerSetting }),
})

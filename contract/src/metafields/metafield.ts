import { z } from 'zod'
import { hasControlCharacters, nameLine } from '../fields.ts'
import { isMetafieldType, type MetafieldType } from './value-type.ts'

/** Settings per merchant; one export has all of them. */
export const MAX_METAFIELD_SETTINGS = 100
/** Length of a value in UTF-16 units; the platform's largest have 128 kB. */
export const MAX_METAFIELD_VALUE_LENGTH = 131_072

/** Spec §5: namespace-and-key form, letters, digits, underscore and hyphen only. The lengths are the platform's. */
const KEY = /^([A-Za-z0-9_-]{1,255})\.([A-Za-z0-9_-]{1,64})$/
export const MetafieldKey = z
  .string('metafield_key_form')
  .trim()
  .regex(KEY, 'metafield_key_form')
  .meta({ description: 'namespace.key' })

/** The two halves of a key in the form `namespace.key`; null for any other form. */
export function splitMetafieldKey(key: string): { namespace: string; key: string } | null {
  const found = KEY.exec(key)
  return found ? { namespace: found[1] ?? '', key: found[2] ?? '' } : null
}

/** `platform`: stored in the store, copied from there. `custom`: ours, filled by the API and by imports. */
export const NamespaceType = z.enum(['platform', 'custom'])
export type NamespaceType = z.output<typeof NamespaceType>

export const MetafieldValueType = z
  .custom<MetafieldType>((value) => typeof value === 'string' && isMetafieldType(value), 'not_allowed')
  .meta({ type: 'string', description: 'A metafield type of the store platform' })

export const MetafieldName = nameLine(100)

/** The text of a metafield: line breaks are allowed, other control characters are not. */
export const MetafieldValue = z
  .string('not_a_text')
  .refine((value) => value.length <= MAX_METAFIELD_VALUE_LENGTH, 'too_long')
  .refine((value) => value.isWellFormed(), 'invalid')
  .refine((value) => !hasControlCharacters(value.replace(/[\n\r\t\u2028\u2029]/g, '')), 'control_characters')

export const MetafieldStatus = z.enum(['waiting', 'filling', 'ready', 'failed'])
export type MetafieldStatus = z.output<typeof MetafieldStatus>

export const MetafieldSetting = z
  .object({
    id: z.uuid(),
    name: z.string(),
    /** `namespace.key` */
    key: z.string(),
    namespace_type: NamespaceType,
    value_type: MetafieldValueType,
    status: MetafieldStatus,
    /** Why the backfill failed: a reason of ours or the platform's own. */
    error: z.string().nullable(),
    /** Customers with a value. */
    value_count: z.int(),
    /** Of those, values that do not match their type; stored as text. */
    unreadable_count: z.int(),
    /** During a backfill: customers the store has exported so far, and how many of them are stored. */
    progress: z.object({ exported_count: z.int(), loaded_count: z.int() }).nullable(),
    filled_at: z.iso.datetime().nullable(),
    /** The tag for mails. */
    content_tag: z.string(),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'MetafieldSetting' })
export type MetafieldSetting = z.output<typeof MetafieldSetting>

/** A use that prevents deleting a metafield setting. */
export const MetafieldUse = z
  .object({ type: z.enum(['segment', 'email', 'birthday']), id: z.uuid().nullable(), name: z.string() })
  .meta({ id: 'MetafieldUse' })
export type MetafieldUse = z.output<typeof MetafieldUse>

/** A definition of the store that a setting can be made from. */
export const MetafieldDefinition = z
  .object({
    key: z.string(),
    name: z.string(),
    description: z.string().nullable(),
    value_type: z.string(),
    /** Values in the store. */
    count: z.int(),
    /** The setting made from it, if there is one. */
    setting_id: z.uuid().nullable(),
  })
  .meta({ id: 'MetafieldDefinition' })
export type MetafieldDefinition = z.output<typeof MetafieldDefinition>

/** One metafield of one customer; `value` is null if the customer has none. */
export const MetafieldOfCustomer = z
  .object({
    setting_id: z.uuid(),
    name: z.string(),
    key: z.string(),
    namespace_type: NamespaceType,
    value_type: MetafieldValueType,
    value: z.string().nullable(),
    /** False if the value does not match the type. */
    readable: z.boolean(),
    updated_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'MetafieldOfCustomer' })
export type MetafieldOfCustomer = z.output<typeof MetafieldOfCustomer>

export const CustomerSetting = z
  .object({
    /** `namespace.key`; null: birthdays are kept here only. */
    birthday_metafield: z.string().nullable(),
    /** The state of the birthdays; null without a metafield. */
    birthdays: z
      .object({
        metafield_setting_id: z.uuid(),
        status: MetafieldStatus,
        error: z.string().nullable(),
        progress: MetafieldSetting.shape.progress,
        filled_at: z.iso.datetime().nullable(),
        /** Customers whose metafield is a date. */
        read_count: z.int(),
        /** Customers whose metafield is not. */
        unreadable_count: z.int(),
        /** The first of those. */
        unreadable: z.array(z.object({ customer_id: z.uuid(), name: z.string(), value: z.string() })),
      })
      .nullable(),
  })
  .meta({ id: 'CustomerSetting' })
export type CustomerSetting = z.output<typeof CustomerSetting>

/** Spec §9: 'new metafield_{date}'. */
export const defaultMetafieldName = (date: string): string => `new metafield_${date}`

/** As written into a mail: `{{ customer.metafields.facts.birth_date }}`. */
export const metafieldTag = ({ namespace, key }: { namespace: string; key: string }): string =>
  `{{ customer.metafields.${namespace}.${key} }}`

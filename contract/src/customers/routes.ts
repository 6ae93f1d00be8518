import { z } from 'zod'
import { DeliveryView } from '../deliveries/delivery.ts'
import { endpoint } from '../endpoint.ts'
import { EmailAddress, Id, IdParams, line, nameLine, Phone } from '../fields.ts'
import { Locale } from '../locale.ts'
import { PageQuery, pageOf } from '../paging.ts'
import { isCountry } from './country.ts'
import {
  ConsentChange,
  Customer,
  CustomerConflict,
  CustomerCartLine,
  CustomerFavorite,
  CustomerLook,
  CustomerMetafield,
  CustomerOnLine,
  CustomerOrder,
  conflictFields,
  SyncProgress,
} from './customer.ts'
import { CustomerSelection, Selected, TagChange } from './selection.ts'
import { TimelineEntry, TimelinePart } from './timeline.ts'
import { CustomerSort, CustomerView, CustomerViewSearch, customerFilters } from './view.ts'

const area = 'customers'

/** Where a page ended or began; made by the server, valid only for the same order. */
const Cursor = z.string('not_a_text').max(4000, 'too_long')

export const listCustomers = endpoint('GET', '/customers', {
  area,
  summary: 'Customers, searched by name, mail, phone or tag; deep pages by the cursors of the answer',
  access: 'member',
  query: PageQuery.extend({
    ...customerFilters,
    sort: CustomerSort.default('created_at'),
    direction: z.enum(['asc', 'desc']).default('desc'),
    /** `next` or `prev` of an answer, or `end` for the last page; `offset` is then ignored. */
    cursor: Cursor.optional(),
  }),
  reply: pageOf(Customer).extend({
    /** False: `total` is a lower bound. */
    total_exact: z.boolean(),
    next: z.string().nullable(),
    prev: z.string().nullable(),
  }),
})

export const countCustomers = endpoint('GET', '/customers/count', {
  area,
  summary: 'How many customers match, exactly',
  access: 'member',
  query: z.object(customerFilters),
  reply: z.object({ total: z.int() }),
})

/** The body of a saved view. */
export const CustomerViewBody = z.strictObject({
  name: nameLine(60),
  search: CustomerViewSearch,
  shared: z.boolean().default(false),
})
export const listCustomerViews = endpoint('GET', '/customers/views', {
  area,
  summary: 'Saved views of the customer list: the member’s own and the shared ones',
  access: 'member',
  reply: z.object({ views: z.array(CustomerView) }),
})
export const createCustomerView = endpoint('POST', '/customers/views', {
  area,
  summary: 'Save a view of the customer list',
  access: 'marketer',
  status: 201,
  body: CustomerViewBody,
  reply: z.object({ view: CustomerView }),
})
export const changeCustomerView = endpoint('PUT', '/customers/views/{id}', {
  area,
  summary: 'Change a saved view',
  access: 'marketer',
  params: IdParams,
  body: CustomerViewBody,
  reply: z.object({ view: CustomerView }),
})
export const deleteCustomerView = endpoint('DELETE', '/customers/views/{id}', {
  area,
  summary: 'Delete a saved view',
  access: 'marketer',
  params: IdParams,
  status: 204,
  replyKind: 'empty',
})

/** In the store a comma ends a tag. */
const Tags = z.array(line(1, 255).refine((tag) => !tag.includes(','), 'not_allowed')).max(20, 'too_long')
const isSameTag = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()
export const changeTags = endpoint('POST', '/customers/tag_changes', {
  area,
  summary: 'Add tags to many customers or remove them, in the store too; continues in the background',
  access: 'marketer',
  status: 202,
  body: z
    .strictObject({
      /** Made by the caller: the same id again is the same change. */
      id: Id,
      ...Selected,
      add: Tags.default([]),
      remove: Tags.default([]),
    })
    .refine(({ add, remove }) => add.length + remove.length > 0, { path: ['add'], error: 'required' })
    .refine(({ add, remove }) => !add.some((one) => remove.some((other) => isSameTag(one, other))), {
      path: ['remove'],
      error: 'not_allowed',
    }),
  reply: z.object({ tag_change: TagChange }),
})
export const listTagChanges = endpoint('GET', '/customers/tag_changes', {
  area,
  summary: 'Changes of tags under way, and those that ended within a day',
  access: 'member',
  reply: z.object({ tag_changes: z.array(TagChange) }),
})

export const exportCustomers = endpoint('POST', '/customers/export', {
  area,
  summary: 'CSV of the customers ticked, or of all whom a filter leaves',
  access: 'member',
  body: z.strictObject({
    selection: CustomerSelection,
    /** The language of the header row. */
    lang: Locale.default('ja'),
  }),
  replyKind: 'file',
  mediaTypes: ['text/csv'],
})

export const checkCustomer = endpoint('GET', '/customers/check', {
  area,
  summary: 'Whether a customer with this address exists',
  access: 'member',
  query: z.object({ email: EmailAddress }),
  reply: z.object({ exists: z.boolean(), customer_id: z.uuid().nullable() }),
})

/** One field of an address; empty and null are the same. */
const AddressLine = line(0, 255).nullable()
const AddressFields = z
  .strictObject({
    zip: AddressLine.optional(),
    /** ISO 3166-1, two letters. */
    country: z.string('not_a_text').refine(isCountry, 'not_allowed').nullable().optional(),
    /** ISO 3166-2 (`JP-13`); the store decides its name. */
    province: z
      .string('not_a_text')
      .regex(/^[A-Z]{2}-[A-Z0-9]{1,3}$/, 'not_allowed')
      .refine((code) => isCountry(code.slice(0, 2)), 'not_allowed')
      .nullable()
      .optional(),
    city: AddressLine.optional(),
    address1: AddressLine.optional(),
    address2: AddressLine.optional(),
    company: AddressLine.optional(),
    phone: Phone.nullable().optional(),
  })
  .refine(({ country, province }) => !country || !province || province.startsWith(`${country}-`), {
    path: ['province'],
    error: 'not_allowed',
  })
export type AddressFields = z.output<typeof AddressFields>

/** Year 1004 if only month and day are known. */
const Birthday = z.iso
  .date('not_a_date')
  .refine((day) => day.startsWith('1004-') || (day >= '1900-01-01' && day <= '2199-12-31'), 'not_a_date')

const CustomerFields = {
  first_name: line(0, 100).optional(),
  last_name: line(0, 100).optional(),
  email: EmailAddress.nullable().optional(),
  phone: Phone.nullable().optional(),
  language: Locale.optional(),
  tags: z.array(line(1, 255)).max(250, 'too_long').optional(),
  birthday: Birthday.nullable().optional(),
  /** Parts that are not given stay unchanged. */
  address: AddressFields.optional(),
}
/** The fields when the form was loaded, as `fieldText` writes them. */
const Loaded = z.partialRecord(z.enum(conflictFields), z.string('not_a_text').max(100_000, 'too_long').nullable())

/** The fields of a new customer. */
export const NewCustomer = z.strictObject({ ...CustomerFields, email: EmailAddress })

export const createCustomer = endpoint('POST', '/customers', {
  area,
  summary: 'Add a customer, in the store first',
  access: 'marketer',
  status: 201,
  body: NewCustomer,
  reply: z.object({ customer: Customer }),
})

export const CustomerDetail = z.object({
  customer: Customer,
  /** Null: no known LINE account. */
  line: CustomerOnLine.nullable(),
  /** The newest ones; the rest from `/customers/{id}/orders`. */
  orders: z.array(CustomerOrder),
  /** Active ones, the newest first. */
  favorites: z.array(CustomerFavorite),
  /** The last first. */
  viewed: z.array(CustomerLook),
  /** What lies in it now. */
  cart: z.array(CustomerCartLine),
  metafields: z.array(CustomerMetafield),
  /** Changes that newer ones prevented, the newest first. */
  conflicts: z.array(CustomerConflict),
  messages: z.array(DeliveryView),
  consent_changes: z.array(ConsentChange),
  /** Until when they asked for no marketing by email; null: not now. */
  mail_paused_until: z.iso.datetime().nullable(),
})
export type CustomerDetail = z.output<typeof CustomerDetail>

export const getCustomer = endpoint('GET', '/customers/{id}', {
  area,
  summary: 'One customer with the newest orders, messages (sent or not, and why) and consent changes',
  access: 'member',
  params: IdParams,
  reply: CustomerDetail,
})

export const changeCustomer = endpoint('PUT', '/customers/{id}', {
  area,
  summary: 'Change a customer, in the store first; consent may be changed too and is recorded',
  access: 'marketer',
  params: IdParams,
  body: z.strictObject({
    ...CustomerFields,
    accepts_marketing: z.boolean().optional(),
    accepts_transactions: z.boolean().optional(),
    /** The changed fields when the form was opened: a field that changed since keeps its newer value. */
    loaded: Loaded.optional(),
  }),
  reply: z.object({
    customer: Customer,
    /** Fields of this change that were not applied because of a newer value. */
    conflicts: z.array(CustomerConflict),
  }),
})

export const listCustomerOrders = endpoint('GET', '/customers/{id}/orders', {
  area,
  summary: 'One customer’s orders with their lines',
  access: 'member',
  params: IdParams,
  query: PageQuery,
  reply: pageOf(CustomerOrder),
})

export const getTimeline = endpoint('GET', '/customers/{id}/timeline', {
  area,
  summary: 'Everything that happened with one customer: orders, permissions, messages sent or not and why not',
  access: 'member',
  params: IdParams,
  query: z.object({
    limit: PageQuery.shape.limit,
    cursor: Cursor.optional(),
    part: TimelinePart.optional(),
  }),
  reply: z.object({ data: z.array(TimelineEntry), next: z.string().nullable() }),
})

export const deleteCustomer = endpoint('DELETE', '/customers/{id}', {
  area,
  summary: 'Remove the customer here; the store keeps its own',
  access: 'marketer',
  params: IdParams,
  status: 204,
  replyKind: 'empty',
})

/** Not in the specification's list: the page has to show the progress of the store's copy. */
export const getSync = endpoint('GET', '/store/sync', {
  area: 'store',
  summary: 'How the copy of the store is coming along',
  access: 'member',
  reply: z.object({ sync: SyncProgress }),
})
export const startSync = endpoint('POST', '/store/sync', {
  area: 'store',
  summary: 'Copy the whole store again',
  access: 'marketer',
  status: 202,
  reply: z.object({ sync: SyncProgress }),
})

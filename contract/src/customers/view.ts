import { z } from 'zod'
import { Day, line } from '../fields.ts'

export const customerSorts = [
  'created_at',
  'name',
  'total_revenue',
  'orders_count',
  'last_order_at',
  'email_sent_count',
] as const
export const CustomerSort = z.enum(customerSorts)
export type CustomerSort = z.output<typeof CustomerSort>

/** Columns the list can show besides the name, in the order they are offered. */
export const customerColumns = [
  'marketing_state',
  'accepts_transactions',
  'suppressed',
  'line_connected',
  'phone',
  'language',
  'birthday',
  'province',
  'tags',
  'orders_count',
  'total_revenue',
  'last_order_at',
  'email_sent_count',
  'line_sent_count',
  'created_at',
] as const
export const CustomerColumn = z.enum(customerColumns)
export type CustomerColumn = z.output<typeof CustomerColumn>

const YesNo = z.enum(['yes', 'no'])

/** The largest number of orders or mails in a filter. */
export const MAX_COUNT_ASKED = 1_000_000
/** In major units of the merchant's currency. */
export const MAX_SALES_ASKED = 1_000_000_000_000
/** Only numbers as people write them: JavaScript would convert an empty text, null and an empty list to 0, which would match other customers. */
const asWritten = (given: string | number): number =>
  typeof given === 'number' ? given : /^-?\d+(\.\d+)?$/.test(given) ? Number(given) : Number.NaN
/** In addresses they are texts. Both ways, because a stored view is answered by what reads an address. */
const written = (number: z.ZodNumber) =>
  z.codec(z.union([z.number(), z.string()], 'not_a_number'), number, {
    decode: asWritten,
    encode: (value) => value,
  })
const count = written(z.number('not_a_number').int('not_whole').min(0, 'too_small').max(MAX_COUNT_ASKED, 'too_big'))
const sales = written(z.number('not_a_number').min(0, 'too_small').max(MAX_SALES_ASKED, 'too_big'))

/** Pairs of filters that form a range, both ends included. */
export const customerRanges = {
  orders: { min: 'orders_min', max: 'orders_max' },
  sales: { min: 'sales_min', max: 'sales_max' },
  sent: { min: 'sent_min', max: 'sent_max' },
} as const
export type CustomerRange = keyof typeof customerRanges

/** The filters of the customer list, as in addresses. */
export const customerFilters = {
  /** Words; each must be a prefix of a word of name, email, phone or tag, in any width or kana. */
  q: z
    .string('not_a_text')
    .max(200, 'too_long')
    // A view is stored, and PostgreSQL cannot store these.
    .refine((text) => text.isWellFormed() && !text.includes('\0'), 'invalid')
    .optional(),
  marketing: z.enum(['granted', 'not_granted', 'withdrawn', 'unknown', 'pending']).optional(),
  notification: z.enum(['granted', 'not_granted']).optional(),
  /** One whole tag, letter case aside. */
  tag: line(1, 255).optional(),
  suppressed: YesNo.optional(),
  has_orders: YesNo.optional(),
  language: z
    .string('not_a_text')
    .regex(/^[a-z]{2,3}(-[A-Za-z0-9]{1,8})*$/i, 'not_allowed')
    .max(35, 'too_long')
    .optional(),
  line: YesNo.optional(),
  /** Days of the merchant's zone, both included. */
  created_from: Day.optional(),
  created_to: Day.optional(),
  orders_min: count.optional(),
  orders_max: count.optional(),
  /** Major units of the merchant's currency (円). */
  sales_min: sales.optional(),
  sales_max: sales.optional(),
  /** Mails sent to the customer. */
  sent_min: count.optional(),
  sent_max: count.optional(),
} as const
export const CustomerFilter = z.object(customerFilters)
export type CustomerFilter = z.output<typeof CustomerFilter>

/** The content of a saved view: filters, order and columns. */
export const CustomerViewSearch = z.strictObject({
  ...customerFilters,
  sort: CustomerSort.optional(),
  direction: z.enum(['asc', 'desc']).optional(),
  columns: z.array(CustomerColumn).max(customerColumns.length, 'too_long').optional(),
})
export type CustomerViewSearch = z.output<typeof CustomerViewSearch>

export const CustomerView = z
  .object({
    id: z.uuid(),
    name: z.string(),
    search: CustomerViewSearch,
    /** Visible to every member; otherwise only to its creator. */
    shared: z.boolean(),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'CustomerView' })
export type CustomerView = z.output<typeof CustomerView>

/** Per merchant and page, own and shared together. */
export const MAX_VIEWS = 100

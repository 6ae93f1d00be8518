import { z } from 'zod'
import { Money } from '../money.ts'
import { RestockChannel } from './channel.ts'

/** Why no one is notified at this moment. `many`: so many products came back at once that a person has to look. */
export const ReturnHold = z.enum([
  'settling',
  'interval',
  'hours',
  'test_mode',
  'no_scenario',
  'reading',
  'stopped',
  'many',
])
export type ReturnHold = z.output<typeof ReturnHold>

export const ReturnEnd = z.enum(['all_told', 'sold_out', 'gone'])
export type ReturnEnd = z.output<typeof ReturnEnd>

const at = z.iso.datetime()

/** What the next wave of an open return will do, as far as is known now. */
export const OpenReturn = z
  .object({
    id: z.uuid(),
    store_product_id: z.string(),
    product_name: z.string().nullable(),
    image_url: z.string().nullable(),
    /** Null: those who wait for the product as a whole. */
    store_variant_id: z.string().nullable(),
    variant: z.string().nullable(),
    began_at: at,
    held_by: ReturnHold,
    /** When it goes on; null: a person has to say so. */
    due_at: at.nullable(),
    /** `reading` alone: the store was asked then for what is in stock, and has not answered for a minute or more. */
    unanswered_since: at.nullable(),
    /** As last read; null: not known, or it is sold whether there is any or not. */
    stock: z.int().nullable(),
    sells_without_stock: z.boolean(),
    stock_read_at: at.nullable(),
    waiting: z.int(),
    /** How many of these the next wave notifies. */
    next_people: z.int(),
  })
  .meta({ id: 'OpenReturn' })
export type OpenReturn = z.output<typeof OpenReturn>

export const RestockWave = z
  .object({
    return_id: z.uuid(),
    number: z.int(),
    at,
    store_variant_id: z.string().nullable(),
    variant: z.string().nullable(),
    /** Read then; null: it was sold whether there was any or not. */
    stock: z.int().nullable(),
    notified: z.int(),
    sent: z.int(),
    under_way: z.int(),
    /** Had bought it before, and were not notified. */
    bought_before: z.int(),
    /** Only an address is known of them, which is no customer's. */
    unreachable: z.int(),
    /** Bought it within five days after the message. */
    buyers: z.int(),
    revenue: Money,
  })
  .meta({ id: 'RestockWave' })
export type RestockWave = z.output<typeof RestockWave>

export const noticeOutcomes = [
  'under_way',
  'sent',
  'uncertain',
  'failed',
  'skipped',
  'refused',
  'no_customer',
  'withdrawn',
] as const
export const NoticeOutcome = z.enum(noticeOutcomes)
export type NoticeOutcome = z.output<typeof NoticeOutcome>

export const RestockNotice = z
  .object({
    id: z.string(),
    customer_id: z.uuid().nullable(),
    customer_name: z.string().nullable(),
    customer_email: z.string().nullable(),
    restock_type: RestockChannel,
    registered_at: at,
    outcome: NoticeOutcome,
    /** Why nothing was sent: of a message a reason of the ledger; else the rule that kept them out of the scenario. */
    reason: z.string().nullable(),
    sent_at: at.nullable(),
    bought_at: at.nullable(),
  })
  .meta({ id: 'RestockNotice' })
export type RestockNotice = z.output<typeof RestockNotice>

export const RestockScenario = z
  .object({
    id: z.uuid(),
    name: z.string(),
    channels: z.array(RestockChannel),
    /** Those who registered by these are answered by it: of several it was activated first. */
    answers: z.array(RestockChannel),
  })
  .meta({ id: 'RestockScenario' })
export type RestockScenario = z.output<typeof RestockScenario>

import { z } from 'zod'
import { CouponTerms } from '../coupons/coupon.ts'
import { endpoint } from '../endpoint.ts'
import { IdParams } from '../fields.ts'

/** A day's customers are counted up to this. */
export const PEOPLE_COUNTED_TO = 5000

/** What enabling a scenario does at once. What it will bring later is the rehearsal's answer. */
export const Outlook = z
  .object({
    /** Executions that wait since the scenario was stopped and will continue; counted up to `EXECUTIONS_COUNTED_TO`. */
    held: z.int(),
    /** Of these, how many are more than a day late, so that a member has to decide first. */
    held_late: z.int(),
    /** Executions whose waiting step is not over yet: they continue when it is; counted up to `EXECUTIONS_COUNTED_TO`. */
    waiting: z.int(),
    /** For a daily trigger: when it fires next and for how many customers, before the entry condition; up to {@link PEOPLE_COUNTED_TO}. */
    next_day: z.object({ at: z.iso.datetime(), people: z.int() }).nullable(),
    /** Number of email steps. */
    emails: z.int(),
    /** Number of steps that send by LINE. */
    line_messages: z.int(),
    senders: z.array(z.object({ name: z.string(), email: z.string() })),
    coupons: z.array(CouponTerms),
    /** Of answers to restock registrations: how many sending steps have a message without a link to take the registration back. */
    without_cancel_link: z.int(),
    /** Of restock and favorites: active scenarios about the same news. Those who registered get the restock message alone. */
    also_active: z.array(z.object({ id: z.uuid(), name: z.string() })),
  })
  .meta({ id: 'Outlook' })
export type Outlook = z.output<typeof Outlook>

export const getOutlook = endpoint('GET', '/actions/{id}/outlook', {
  area: 'scenarios',
  summary: 'What enabling a scenario would do at once, the senders of its emails, and its coupons',
  access: 'member',
  params: IdParams,
  reply: z.object({ outlook: Outlook }),
})

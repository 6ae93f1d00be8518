import { z } from 'zod'
import { CouponTerms } from '../coupons/coupon.ts'
import { endpoint } from '../endpoint.ts'
import { IdParams } from '../fields.ts'

/** Of a day's people no more are counted one by one. */
export const PEOPLE_COUNTED_TO = 5000

/** What enabling a scenario brings beside what it is expected to bring (the rehearsal says that). */
export const Outlook = z
  .object({
    /** Executions that stand still since it was stopped, and go on; counted up to `EXECUTIONS_COUNTED_TO`. */
    held: z.int(),
    /** Of these, how many ask first, for they are more than a day late. */
    held_late: z.int(),
    /** Of a trigger of days: when it comes next, and for how many, counted up to {@link PEOPLE_COUNTED_TO}; before the entry condition. */
    next_day: z.object({ at: z.iso.datetime(), people: z.int() }).nullable(),
    /** Email steps of the flow. */
    emails: z.int(),
    senders: z.array(z.object({ name: z.string(), email: z.string() })),
    coupons: z.array(CouponTerms),
  })
  .meta({ id: 'Outlook' })
export type Outlook = z.output<typeof Outlook>

export const getOutlook = endpoint('GET', '/actions/{id}/outlook', {
  area: 'scenarios',
  summary: 'What enabling a scenario would bring at once, from whom its emails come, and its coupons',
  access: 'member',
  params: IdParams,
  reply: z.object({ outlook: Outlook }),
})

import { z } from 'zod'
import { endpoint } from '../endpoint.ts'

/** How fast one receiving operator is written to, while it takes fewer than there are. */
export const ReceiverPace = z.object({
  /** Of `emails/receivers.ts`: an operator, or a domain. */
  receiver: z.string(),
  /** Mails a minute. It changes with the operator's answers. */
  per_minute: z.int(),
  /** Nothing is handed over before; null: it is written to now. */
  held_until: z.iso.datetime().nullable(),
  /** Mails that wait for it, of all campaigns and scenarios, about. */
  waiting: z.int(),
  /** Since when it takes fewer. */
  since: z.iso.datetime(),
  /** In its own words. */
  answer: z.string(),
})
export type ReceiverPace = z.infer<typeof ReceiverPace>

export const listReceiverPaces = endpoint('GET', '/receiver_paces', {
  area: 'emails',
  summary: 'The receiving operators that take fewer mails than there are, the slowest first, 100 at most',
  access: 'member',
  reply: z.object({ receiver_paces: z.array(ReceiverPace) }),
})

import { z } from 'zod'
import { endpoint } from '../endpoint.ts'

/** The messages of the month that the official account's plan allows: one for each person a send reaches. */
export const LineQuota = z.object({
  /** Null: without a limit. */
  limit: z.int().nullable(),
  /** As the platform counts, what was sent by others included. */
  used: z.int(),
  /** Of sends that were reserved and are not over. */
  reserved: z.int(),
  /** What another send may use; null: any number. */
  left: z.int().nullable(),
  /** At the end of the month: used, reserved, and as many by scenarios each day as in the last 28 days. */
  forecast: z.int(),
  /** The month turns in Japan's time. */
  ends_at: z.iso.datetime(),
  /** The platform said that they are used up: nothing is sent by LINE before the month turns, or a person says that it may go on. */
  paused: z.boolean(),
})
export type LineQuota = z.infer<typeof LineQuota>

const area = 'line'
/** Null where no channel is connected. */
const Reply = z.object({ line_quota: LineQuota.nullable() })

export const getLineQuota = endpoint('GET', '/line/quota', {
  area,
  summary: 'The LINE messages of the month: limit, used, reserved, left and expected; asked of the platform',
  access: 'member',
  reply: Reply,
})

export const resumeLine = endpoint('POST', '/line/quota/resume', {
  area,
  summary: 'Send by LINE again after the messages of the month were used up, because there are more now',
  access: 'marketer',
  reply: Reply,
})

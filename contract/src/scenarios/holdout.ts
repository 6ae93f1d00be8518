import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { IdParams } from '../fields.ts'
import { Money } from '../money.ts'

/** Orders within so many days of entering count for both groups alike. */
export const HOLDOUT_WINDOW_DAYS = 30
/** Fewer in either group say nothing: no interval is given. */
export const HOLDOUT_MIN_PEOPLE = 30

const Group = z.object({ executions: z.int(), orders: z.int(), revenue: Money })

/**
 * What the scenario brought beside what those bought who entered and were sent nothing. The interval holds the true value in 95 of 100
 * cases (the difference of two means, normal approximation); null while a group is too small to say, or nobody has ordered.
 */
export const HoldoutResult = z
  .object({
    window_days: z.int(),
    treated: Group,
    held_out: Group,
    incremental: z.object({ estimate: Money, low: Money, high: Money }).nullable(),
    counted_at: z.iso.datetime(),
  })
  .meta({ id: 'HoldoutResult' })
export type HoldoutResult = z.output<typeof HoldoutResult>

export const getHoldout = endpoint('GET', '/actions/{id}/holdout', {
  area: 'scenarios',
  summary: 'Incremental sales: those who were sent to beside the share that was sent nothing',
  access: 'member',
  params: IdParams,
  reply: z.object({ holdout: HoldoutResult }),
})

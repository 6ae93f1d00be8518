import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { IdParams } from '../fields.ts'
import { Money } from '../money.ts'

/** In both groups, orders within this many days of entering count. */
export const HOLDOUT_WINDOW_DAYS = 30
/** If either group is smaller, no interval is given: it would mean nothing. */
export const HOLDOUT_MIN_PEOPLE = 30

const Group = z.object({ executions: z.int(), orders: z.int(), revenue: Money })

/**
 * The scenario's revenue compared with the hold-out group's. The interval is the 95 % confidence interval of the difference of two means
 * (normal approximation); null while a group is too small or no one has ordered.
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
  summary: 'Incremental revenue: the scenario compared with its hold-out group',
  access: 'member',
  params: IdParams,
  reply: z.object({ holdout: HoldoutResult }),
})

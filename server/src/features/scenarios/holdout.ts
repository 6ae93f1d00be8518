import { HOLDOUT_MIN_PEOPLE, HOLDOUT_WINDOW_DAYS, type HoldoutResult } from '@okaeri/contract/scenarios/holdout'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { getScenarioRow } from '../flows/index.ts'
import { getMerchant } from '../merchants/index.ts'
import { type GroupSums, sumGroups } from './holdout-queries.ts'

/** The 97.5 % quantile of the normal distribution, for a 95 % interval. */
const Z = 1.96

export async function getHoldout(scope: MerchantScope, id: string): Promise<HoldoutResult> {
  await getScenarioRow(scope, id)
  const { currency } = await getMerchant(scope)
  const groups = await sumGroups(scope, id, { windowDays: HOLDOUT_WINDOW_DAYS, currency })
  const groupOf = (heldOut: boolean): GroupSums =>
    groups.find(({ held_out }) => held_out === heldOut) ?? {
      held_out: heldOut,
      executions: 0,
      orders: 0,
      revenue: 0,
      revenue_squares: 0,
    }
  const [treated, heldOut] = [groupOf(false), groupOf(true)]
  const money = (amount: number) => ({ amount: Math.round(amount), currency })
  const present = ({ executions, orders, revenue }: GroupSums) => ({ executions, orders, revenue: money(revenue) })
  const incremental = incrementalOf(treated, heldOut)
  return {
    window_days: HOLDOUT_WINDOW_DAYS,
    treated: present(treated),
    held_out: present(heldOut),
    incremental: incremental && {
      estimate: money(incremental.estimate),
      low: money(incremental.low),
      high: money(incremental.high),
    },
    counted_at: scope.now.toISOString(),
  }
}

/**
 * How much more the treated bought than they would have if they had bought like the hold-out group: the difference of the means times
 * their number, with Welch's interval (each group has its own variance). Null while a group is too small or no one has bought: with
 * only zeros the interval would be empty, as if it were certain that the scenario brings nothing.
 */
export function incrementalOf(
  treated: Omit<GroupSums, 'held_out' | 'orders'>,
  heldOut: Omit<GroupSums, 'held_out' | 'orders'>,
): { estimate: number; low: number; high: number } | null {
  if (Math.min(treated.executions, heldOut.executions) < HOLDOUT_MIN_PEOPLE) return null
  if (treated.revenue_squares + heldOut.revenue_squares === 0) return null
  const mean = ({ revenue, executions }: typeof treated): number => revenue / executions
  const varianceOfMean = (group: typeof treated): number => {
    const spread = group.revenue_squares - group.executions * mean(group) ** 2
    return Math.max(0, spread) / (group.executions - 1) / group.executions
  }
  const difference = mean(treated) - mean(heldOut)
  const margin = Z * Math.sqrt(varianceOfMean(treated) + varianceOfMean(heldOut))
  const inAll = (each: number): number => each * treated.executions
  return { estimate: inAll(difference), low: inAll(difference - margin), high: inAll(difference + margin) }
}

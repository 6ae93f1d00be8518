import { lateBefore } from '@okaeri/contract/late'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { recordEvents } from '../events/index.ts'
import type { LeavingTrigger } from '../flows/index.ts'
import { MISSED_DAYS } from './daily-triggers.ts'
import { triggerRules } from './trigger-kinds/index.ts'

const MINUTE_MS = 60_000
/** Webhooks come late: baskets are looked for so much further back than was looked before. Most are minutes late at most. */
const LATE_MS = 10 * MINUTE_MS
/** So far back now and then, as it means reading all baskets of that time once more. */
const VERY_LATE_MS = 86_400_000
const AT_ONCE = 2000
const DAY_MS = 86_400_000

/**
 * Tells of baskets left for so long, once for each state a basket was left in: changed and left again, it is told of again. The event
 * happened when the basket was last changed, so that an order counts from then. Those that were to be told of more than a day ago ask; of those
 * from before what is made up for it answers how many they are (up to {@link AT_ONCE}).
 */
export async function tellOfLeft(
  scope: MerchantScope,
  scenarioId: string,
  { kind, after_minutes }: LeavingTrigger,
  {
    enabledAt,
    lookedUntil,
    wholeDay,
    checkoutsToo,
  }: {
    enabledAt: Date | null
    lookedUntil: Date | null
    wholeDay: boolean
    /** Another scenario is started by checkouts: a cart whose checkout was begun is told of there alone. */
    checkoutsToo: boolean
  },
): Promise<number> {
  const afterMs = after_minutes * MINUTE_MS
  const since =
    Math.min(lookedUntil?.getTime() ?? scope.now.getTime(), scope.now.getTime()) - (wholeDay ? VERY_LATE_MS : LATE_MS)
  // Left for that long only after the scenario was enabled.
  const first = Math.max(since, enabledAt?.getTime() ?? since)
  const kept = Math.max(first, scope.now.getTime() - MISSED_DAYS * DAY_MS)
  const missedBefore = lateBefore('scenario', scope.now).getTime() - afterMs
  const key = `${kind}:${scenarioId}`
  const find = (from: number, to: number) => {
    const leaving = { key, from: new Date(from - afterMs), to: new Date(to - afterMs), limit: AT_ONCE }
    return triggerRules(kind).findLeft(scope, leaving, { checkoutsToo })
  }
  for (let found = AT_ONCE; found === AT_ONCE; ) {
    const left = await find(kept, scope.now.getTime())
    found = left.length
    await recordEvents(
      scope,
      left.map((basket) => ({
        kind,
        key: `${key}:${basket.id}:${basket.store_updated_at.toISOString()}`,
        customerId: basket.customer_id,
        guestId: basket.guest_id,
        scenarioId,
        subject: basket.subject,
        occurredAt: basket.store_updated_at,
        missed: basket.store_updated_at.getTime() < missedBefore,
      })),
    )
  }
  return kept > first ? (await find(first, kept)).length : 0
}

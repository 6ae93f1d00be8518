import { lateBefore } from '@okaeri/contract/late'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import type { AbandonmentTrigger } from '../flows/index.ts'
import { MISSED_DAYS } from './daily-triggers.ts'
import { recordFound } from './look-events.ts'
import type { FindAbandoned } from './trigger-kind.ts'
import { triggerRules } from './trigger-kinds/index.ts'

const MINUTE_MS = 60_000
/** Webhooks come late, most by minutes: each look goes this far back before the last one. */
const LATE_MS = 10 * MINUTE_MS
/** Now and then it goes this far back, which reads all baskets of that time again. */
const VERY_LATE_MS = 86_400_000
const AT_ONCE = 2000
const DAY_MS = 86_400_000

/**
 * Records events for abandoned baskets, once for each state a basket was left in. The event's time is the basket's last change, so that
 * a later order counts. Baskets that were due more than a day ago ask first. Returns how many are older than that (up to {@link
 * AT_ONCE}).
 */
export async function recordAbandonedBaskets(
  scope: MerchantScope,
  scenarioId: string,
  trigger: AbandonmentTrigger,
  {
    enabledAt,
    lookedUntil,
    wholeDay,
    checkoutsToo,
  }: {
    enabledAt: Date | null
    lookedUntil: Date | null
    wholeDay: boolean
    /** Another scenario has the checkout trigger, so carts with a begun checkout are left to it. */
    checkoutsToo: boolean
  },
): Promise<number> {
  const { kind } = trigger
  const afterMs = trigger.after_minutes * MINUTE_MS
  const since =
    Math.min(lookedUntil?.getTime() ?? scope.now.getTime(), scope.now.getTime()) - (wholeDay ? VERY_LATE_MS : LATE_MS)
  // The time without an order must be over after the scenario was enabled.
  const first = Math.max(since, enabledAt?.getTime() ?? since)
  const earliest = Math.max(first, scope.now.getTime() - MISSED_DAYS * DAY_MS)
  const missedBefore = lateBefore('scenario', scope.now).getTime() - afterMs
  const key = `${kind}:${scenarioId}`
  const rules: { findAbandoned: FindAbandoned<AbandonmentTrigger> } = triggerRules(kind)
  const find = (from: number, to: number) => {
    const search = { key, from: new Date(from - afterMs), to: new Date(to - afterMs), limit: AT_ONCE }
    return rules.findAbandoned(scope, search, { trigger, checkoutsToo })
  }
  for (let found = AT_ONCE; found === AT_ONCE; ) {
    const abandoned = await find(earliest, scope.now.getTime())
    found = abandoned.length
    await recordFound(
      scope,
      abandoned.map((basket) => ({
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
  return earliest > first ? (await find(first, earliest)).length : 0
}

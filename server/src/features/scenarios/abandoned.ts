import type { Trigger } from '@okaeri/contract/scenarios/trigger'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { recordEvents } from '../events/index.ts'
import { selectLeftCarts, selectLeftCheckouts } from './clock-queries.ts'

export type LeavingTrigger = Extract<Trigger, { kind: 'cart_abandoned' | 'checkout_abandoned' }>
export const isLeaving = (trigger: Trigger): trigger is LeavingTrigger => 'after_minutes' in trigger

const MINUTE_MS = 60_000
/** Webhooks come late: baskets are looked for so much further back than was looked before. Most are minutes late at most. */
const LATE_MS = 10 * MINUTE_MS
/** So far back now and then, as it means reading all baskets of that time once more. */
const VERY_LATE_MS = 86_400_000
const AT_ONCE = 2000

/**
 * Tells of baskets left for so long, once for each state a basket was left in: changed and left again, it is told of again. The event
 * happened when the basket was last changed, so that an order counts from then.
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
): Promise<void> {
  const afterMs = after_minutes * MINUTE_MS
  const since =
    Math.min(lookedUntil?.getTime() ?? scope.now.getTime(), scope.now.getTime()) - (wholeDay ? VERY_LATE_MS : LATE_MS)
  // Left for that long only after the scenario was enabled.
  const from = new Date(Math.max(since, enabledAt?.getTime() ?? since) - afterMs)
  const key = `${kind}:${scenarioId}`
  const leaving = { key, from, to: new Date(scope.now.getTime() - afterMs), limit: AT_ONCE }
  for (let found = AT_ONCE; found === AT_ONCE; ) {
    const left =
      kind === 'cart_abandoned'
        ? await selectLeftCarts(scope, leaving, { withoutCheckout: checkoutsToo })
        : await selectLeftCheckouts(scope, leaving)
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
      })),
    )
  }
}

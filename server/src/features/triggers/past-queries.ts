import type { Trigger } from '@okaeri/contract/scenarios/trigger'
import type { EventKind } from '@okaeri/contract/scenarios/trigger-kinds/index'
import { sql } from 'kysely'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { selectPastOf } from './day-events-sql.ts'
import type { PastSource, PastEvent, Span, TimeCondition } from './trigger-kind.ts'
import { triggerRules } from './trigger-kinds/index.ts'

/**
 * When events of a kind happened, of all customers, in order. Orders, customers, carts and consents go back as far as the store does;
 * everything else comes from the events of the last 90 days.
 */
export function selectPast(
  scope: MerchantScope,
  kind: EventKind,
  { from, until }: Span,
  trigger: Trigger | null = null,
): Promise<PastEvent[]> {
  const { merchantId } = scope
  const within: TimeCondition = (column) => sql`${column} >= ${from} and ${column} < ${until}`
  const stored = kind === 'coupon_used' ? undefined : triggerRules(kind).pastSql?.(merchantId, within, trigger)
  const events = sql`select v.customer_id as id, v.occurred_at as at from events v
    where v.merchant_id = ${merchantId} and v.kind = ${kind} and v.customer_id is not null and ${within(sql`v.occurred_at`)}`
  return selectPastOf(scope, stored ?? events)
}

/** When a trigger would have started its scenario. */
export function selectPastOfTrigger(
  scope: MerchantScope,
  trigger: Trigger,
  asked: Omit<PastSource, 'happened'>,
): Promise<PastEvent[]> {
  const happened = () => selectPast(scope, trigger.kind, asked.span, trigger)
  return triggerRules(trigger.kind).pastEvents?.(scope, trigger, { ...asked, happened }) ?? happened()
}

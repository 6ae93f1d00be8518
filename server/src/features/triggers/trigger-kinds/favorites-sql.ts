import type { EventKind, EventSubject } from '@okaeri/contract/scenarios/event'
import type { PriceFall } from '@okaeri/contract/scenarios/trigger-kinds/products'
import { type RawBuilder, sql } from 'kysely'
import type { TriggerRules, TimeCondition } from '../trigger-kind.ts'

type Change = NonNullable<EventSubject['changes']>[number]

export const isEnough = ({ before, after }: Change, { unit, least }: PriceFall): boolean =>
  unit === 'amount' ? before - after >= least : (before - after) * 100 >= least * before
/** Whether the stock fell to so many, and not to nothing. */
export const isLow = ({ before, after }: Pick<Change, 'before' | 'after'>, atMost: number): boolean =>
  before > atMost && after <= atMost && after > 0

/** As {@link isEnough}, of the change `c`. */
export const fallOf = (fall: PriceFall | null | undefined): RawBuilder<boolean> => {
  if (!fall) return sql`true`
  return fall.unit === 'amount'
    ? sql`c.before - c.after >= ${fall.least}`
    : sql`(c.before - c.after) * 100 >= ${fall.least}::bigint * c.before`
}

/** Events of that kind with such a change (of `c`). Only as long as events are kept. */
export const withChange = (
  merchantId: string,
  kind: EventKind,
  within: TimeCondition,
  which: RawBuilder<unknown> | null,
): RawBuilder<unknown> =>
  sql`select v.customer_id as id, v.occurred_at as at from events v
    where v.merchant_id = ${merchantId} and v.kind = ${kind} and v.customer_id is not null and ${within(sql`v.occurred_at`)}
      and ${
        which
          ? sql`exists (select from jsonb_to_recordset(coalesce(v.subject -> 'changes', '[]')) as c (before bigint, after bigint, days_since_view int)
              where ${which})`
          : sql`true`
      }`

export const favoritePriceDropped: TriggerRules<'favorite_price_dropped'> = {
  matches: ({ fall }, { changes }) => !fall || (changes ?? []).some((change) => isEnough(change, fall)),
  pastSql: (merchantId, within, trigger) =>
    withChange(merchantId, 'favorite_price_dropped', within, trigger?.fall ? fallOf(trigger.fall) : null),
}

export const favoriteLowStock: TriggerRules<'favorite_low_stock'> = {
  matches: ({ at_most }, { changes }) => (changes ?? []).some((change) => isLow(change, at_most)),
  pastSql: (merchantId, within, trigger) =>
    withChange(
      merchantId,
      'favorite_low_stock',
      within,
      trigger && sql`c.before > ${trigger.at_most} and c.after <= ${trigger.at_most} and c.after > 0`,
    ),
}

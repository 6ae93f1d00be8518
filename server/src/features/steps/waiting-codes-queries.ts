import { sql } from 'kysely'
import type { MerchantScope, TransactionScope } from '../../kernel/merchant-scope.ts'

/** A message of a scenario that waits, and shows a code that the store does not take as the message says. */
export interface WaitingWithCode {
  delivery_id: string
  coupon_id: string
  discount_id: string
  prefix: string
}

const waiting = ({ merchantId, now }: MerchantScope, scenarioId: string) => sql`
  from messages m
  join deliveries v on v.merchant_id = ${merchantId} and v.message_id = m.id and v.status = 'pending' and v.kind = 'scenario'
  join coupons c on c.merchant_id = ${merchantId} and c.code = v.variables #>> '{coupon,code}' and (c.status = 'failed' or c.flaw is not null)
  join discounts d on d.merchant_id = ${merchantId} and d.id = c.discount_id and d.ends_at > ${now}
  where m.merchant_id = ${merchantId} and m.scenario_id = ${scenarioId} and m.uses_coupon and m.state <> 'done'`

export async function countWaitingWithCode(scope: MerchantScope, scenarioId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count ${waiting(scope, scenarioId)}`.execute(
    scope.db,
  )
  return rows[0]?.count ?? 0
}

/** Locked, so that no worker claims one meanwhile; those that one claims just now are passed over. */
export async function lockWaitingWithCode(
  scope: TransactionScope,
  scenarioId: string,
  limit: number,
): Promise<WaitingWithCode[]> {
  const { rows } = await sql<WaitingWithCode>`
    select v.id as delivery_id, c.id as coupon_id, d.id as discount_id, d.terms ->> 'prefix' as prefix
    ${waiting(scope, scenarioId)} order by v.id limit ${limit} for update of v skip locked`.execute(scope.db)
  return rows
}

import { sql } from 'kysely'
import { inAnHour } from '../../kernel/work/due-merchants.ts'
import type { MerchantScope, TransactionScope } from '../../kernel/merchant-scope.ts'
import { ordersOf } from './bought-sql.ts'

export interface NoticeState {
  return_id: string
  request_id: string
  at: Date
  return_ended: boolean
  /** Null: the event is gone. */
  event_looked_at: Date | null
  has_event: boolean
  /** The decision of the scenario; all null while there is none. */
  execution_id: string | null
  refused_by: string | null
  waits: boolean | null
  execution_status: string | null
  end_reason: string | null
  /** Its deliveries: when the first was sent to the person; whether one may still be sent; how the last of the others ended. */
  sent_at: Date | null
  is_sending: boolean
  delivery_status: string | null
  delivery_reason: string | null
}

const isDue = ({ now }: TransactionScope) =>
  sql`check_at is not null and (check_at <= ${now} or check_at > ${inAnHour(now)})`

/** The registrations of the next notices to be looked at; nothing is locked. */
export async function selectDueRequests(scope: TransactionScope, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select request_id as id from restock_notices where merchant_id = ${scope.merchantId} and ${isDue(scope)}
    order by check_at limit ${limit}`.execute(scope.db)
  return [...new Set(rows.map(({ id }) => id))]
}

/** The due notices of these registrations, locked, with what became of their events. */
export async function claimDueNotices(scope: TransactionScope, requestIds: readonly string[]): Promise<NoticeState[]> {
  const { merchantId } = scope
  const { rows } = await sql<NoticeState>`
    with due as materialized (
      select return_id, request_id, event_key, scenario_id, at from restock_notices
      where merchant_id = ${merchantId} and request_id = any(${[...requestIds]}::uuid[]) and ${isDue(scope)}
      for update skip locked
    )
    select n.return_id, n.request_id, n.at, r.ended_at is not null as return_ended, v.looked_at as event_looked_at,
      v.id is not null as has_event, s.execution_id, s.refused_by, s.waits, x.status as execution_status, x.end_reason,
      d.sent_at, coalesce(d.is_sending, false) as is_sending, o.status as delivery_status, o.reason as delivery_reason
    from due n
    left join stock_returns r on r.merchant_id = ${merchantId} and r.id = n.return_id
    left join events v on v.merchant_id = ${merchantId} and v.key = n.event_key
    left join scenario_entries s on s.merchant_id = ${merchantId} and s.event_id = v.id and s.scenario_id = n.scenario_id
    left join executions x on x.merchant_id = ${merchantId} and x.id = s.execution_id
    left join lateral (
      select min(d.sent_at) filter (where d.status = 'sent' and not d.test_mode) as sent_at,
        coalesce(bool_or(d.status in ('pending', 'sending')), false) as is_sending
      from deliveries d where d.merchant_id = ${merchantId} and d.execution_id = s.execution_id and d.kind = 'scenario'
    ) d on s.execution_id is not null
    left join lateral (
      select d.status, d.reason from deliveries d
      where d.merchant_id = ${merchantId} and d.execution_id = s.execution_id and d.kind = 'scenario'
      order by d.status = 'uncertain' desc, d.id desc limit 1
    ) o on s.execution_id is not null
    order by n.return_id, n.request_id`.execute(scope.db)
  return rows
}

export interface NoticeResult {
  returnId: string
  requestId: string
  outcome: string
  reason: string | null
  sentAt: Date | null
  /** Null: it is settled. */
  checkAt: Date | null
}

export async function updateNotices(scope: TransactionScope, results: readonly NoticeResult[]): Promise<void> {
  if (results.length === 0) return
  await sql`
    update restock_notices n set outcome = r.outcome, reason = r.reason, sent_at = r.sent_at, check_at = r.check_at
    from unnest(${results.map((one) => one.returnId)}::uuid[], ${results.map((one) => one.requestId)}::uuid[],
      ${results.map((one) => one.outcome)}::text[], ${results.map((one) => one.reason)}::text[],
      ${results.map((one) => one.sentAt)}::timestamptz[], ${results.map((one) => one.checkAt)}::timestamptz[])
      as r (return_id, request_id, outcome, reason, sent_at, check_at)
    where n.merchant_id = ${scope.merchantId} and n.return_id = r.return_id and n.request_id = r.request_id`.execute(
    scope.db,
  )
}

export interface AtClaim {
  delivery_id: string
  store_product_id: number
  store_variant_id: number
  notice_at: Date
  /** Every registration it answers was taken back. */
  is_withdrawn: boolean
  /** They opted out of such messages after they registered. */
  has_opted_out: boolean
  /** Of every registration that stands. */
  has_bought: boolean
}

/** Those of these deliveries that answer registrations, with the state of the registrations. */
export async function selectAtClaim(
  scope: MerchantScope,
  deliveries: readonly { id: string; execution_id: string }[],
): Promise<AtClaim[]> {
  const { merchantId } = scope
  const { rows } = await sql<AtClaim>`
    select d.id as delivery_id, (v.subject ->> 'store_product_id')::bigint as store_product_id,
      coalesce((v.subject ->> 'store_variant_id')::bigint, 0) as store_variant_id, max(n.at) as notice_at,
      bool_and(coalesce(k.status = 'deleted', true)) as is_withdrawn,
      bool_or(coalesce(c.notification_state = 'withdrawn' and c.notification_changed_at > k.created_at, false)) as has_opted_out,
      bool_and(coalesce(k.status = 'deleted', true) or exists ${ordersOf(merchantId, {
        customerId: sql`n.customer_id`,
        since: sql`k.created_at`,
        storeProductId: sql`r.store_product_id`,
        storeVariantId: sql`r.store_variant_id`,
      })}) as has_bought
    from unnest(${deliveries.map(({ id }) => id)}::uuid[], ${deliveries.map((one) => one.execution_id)}::uuid[]) as d (id, execution_id)
    join executions x on x.merchant_id = ${merchantId} and x.id = d.execution_id
    join events v on v.merchant_id = ${merchantId} and v.id = x.event_id and v.kind = 'product_restocked'
    join restock_notices n on n.merchant_id = ${merchantId} and n.event_key = v.key
    join stock_returns r on r.merchant_id = ${merchantId} and r.id = n.return_id
    -- Of two customers who became one, one registration stays.
    left join restock_requests k on k.merchant_id = ${merchantId} and k.id = n.request_id
    left join customers c on c.merchant_id = ${merchantId} and c.id = n.customer_id
    where not exists (
      -- What follows the message that answered is not about the stock.
      select from deliveries b where b.merchant_id = ${merchantId} and b.execution_id = d.execution_id and b.status = 'sent')
    group by d.id, v.subject`.execute(scope.db)
  return rows
}

/** Customers were merged in the store. */
export async function moveNotices(scope: MerchantScope, fromId: string, intoId: string): Promise<void> {
  await sql`update restock_notices set customer_id = ${intoId}
    where merchant_id = ${scope.merchantId} and customer_id = ${fromId}`.execute(scope.db)
}

export async function detachNotices(scope: MerchantScope, customerId: string): Promise<void> {
  await sql`update restock_notices set customer_id = null, event_key = null, check_at = null,
      outcome = case when outcome = 'under_way' then 'withdrawn' else outcome end
    where merchant_id = ${scope.merchantId} and customer_id = ${customerId}`.execute(scope.db)
}

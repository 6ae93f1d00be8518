import { sql } from 'kysely'
import type { TransactionScope } from '../../kernel/merchant-scope.ts'
import { ordersOf } from './bought-sql.ts'
import { underWayCountSql } from './under-way-sql.ts'
import type { AwaitedItem, WaitingRequest } from '../restocks/index.ts'
import type { ReturnRow } from './return-queries.ts'

export interface WaveRow {
  number: number
  places: number
  told: number
  is_done: boolean
}

export async function selectLastWave(scope: TransactionScope, returnId: string): Promise<WaveRow | null> {
  const { rows } = await sql<WaveRow>`
    select number, places, told, is_done from restock_waves
    where merchant_id = ${scope.merchantId} and return_id = ${returnId} order by number desc limit 1`.execute(scope.db)
  return rows[0] ?? null
}

/** A new wave, or what was added to one that is under way. */
export async function upsertWave(
  scope: TransactionScope,
  returnId: string,
  wave: {
    number: number
    stock: number | null
    places: number
    told: number
    bought: number
    unreachable: number
    isDone: boolean
  },
): Promise<void> {
  await sql`
    insert into restock_waves as w (merchant_id, return_id, number, at, stock, places, told, bought, unreachable, is_done)
    values (${scope.merchantId}, ${returnId}, ${wave.number}, ${scope.now}, ${wave.stock}, ${wave.places}, ${wave.told}, ${wave.bought},
      ${wave.unreachable}, ${wave.isDone})
    on conflict (merchant_id, return_id, number) do update set told = w.told + excluded.told, bought = w.bought + excluded.bought,
      unreachable = w.unreachable + excluded.unreachable, is_done = excluded.is_done`.execute(scope.db)
}

export async function markWaveDone(scope: TransactionScope, returnId: string, number: number): Promise<void> {
  await sql`update restock_waves set is_done = true
    where merchant_id = ${scope.merchantId} and return_id = ${returnId} and number = ${number}`.execute(scope.db)
}

/** The waiting people who bought it after they registered, here or elsewhere with the same address. */
export async function selectWhoBought(
  scope: TransactionScope,
  awaited: AwaitedItem,
  waiting: readonly WaitingRequest[],
): Promise<Set<string>> {
  const known = waiting.filter(({ customerId }) => customerId !== null)
  if (known.length === 0) return new Set()
  const { rows } = await sql<{ id: string }>`
    select r.id from unnest(${known.map(({ id }) => id)}::uuid[], ${known.map(({ customerId }) => customerId)}::uuid[],
      ${known.map(({ createdAt }) => createdAt)}::timestamptz[]) as r (id, customer_id, since)
    where exists ${ordersOf(scope.merchantId, {
      customerId: sql`r.customer_id`,
      since: sql`r.since`,
      storeProductId: sql`${awaited.storeProductId}::bigint`,
      storeVariantId: sql`${awaited.storeVariantId}::bigint`,
    })}`.execute(scope.db)
  return new Set(rows.map(({ id }) => id))
}

/**
 * The events by which these customers were notified in this return, or since it began in another return of the same product, where one of
 * the two is of the product as a whole: it is the same stock.
 */
export async function selectNotified(
  scope: TransactionScope,
  of: Pick<ReturnRow, 'id' | 'store_product_id' | 'store_variant_id' | 'began_at'>,
  customerIds: readonly string[],
): Promise<Map<string, { event_key: string; scenario_id: string }>> {
  const { merchantId } = scope
  const { rows } = await sql<{ customer_id: string; event_key: string; scenario_id: string }>`
    select n.customer_id, n.event_key, n.scenario_id from restock_notices n
    join stock_returns r on r.merchant_id = ${merchantId} and r.id = n.return_id
    where n.merchant_id = ${merchantId} and n.customer_id = any(${[...customerIds]}::uuid[])
      and n.outcome in ('under_way', 'sent', 'uncertain') and n.event_key is not null
      and (n.return_id = ${of.id} or (n.at >= ${of.began_at} and r.store_product_id = ${of.store_product_id}::bigint
        and (r.store_variant_id = 0 or ${of.store_variant_id}::bigint = 0)))
    order by n.at desc`.execute(scope.db)
  return new Map(rows.map(({ customer_id, ...notified }) => [customer_id, notified]))
}

export interface NewNotice {
  requestId: string
  wave: number
  customerId: string | null
  scenarioId: string | null
  eventKey: string | null
  outcome: 'under_way' | 'no_customer'
}

export async function countUnderWay(scope: TransactionScope, returnId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select ${underWayCountSql(scope.merchantId, sql`${returnId}::uuid`)} as count`.execute(scope.db)
  return rows[0]?.count ?? 0
}

/** A registration that could not be answered before, and waits again, gets the new wave. */
export async function upsertNotices(
  scope: TransactionScope,
  returnId: string,
  notices: readonly NewNotice[],
): Promise<void> {
  if (notices.length === 0) return
  await sql`
    insert into restock_notices (merchant_id, return_id, request_id, wave, customer_id, scenario_id, event_key, outcome, at, check_at)
    select ${scope.merchantId}, ${returnId}, r.*, ${scope.now}, case when r.outcome = 'under_way' then ${scope.now}::timestamptz end
    from unnest(${notices.map(({ requestId }) => requestId)}::uuid[], ${notices.map(({ wave }) => wave)}::int[],
      ${notices.map(({ customerId }) => customerId)}::uuid[], ${notices.map(({ scenarioId }) => scenarioId)}::uuid[],
      ${notices.map(({ eventKey }) => eventKey)}::text[], ${notices.map(({ outcome }) => outcome)}::text[])
      as r (request_id, wave, customer_id, scenario_id, event_key, outcome)
    on conflict (merchant_id, return_id, request_id) do update set wave = excluded.wave, customer_id = excluded.customer_id,
      scenario_id = excluded.scenario_id, event_key = excluded.event_key, outcome = excluded.outcome, at = excluded.at,
      check_at = excluded.check_at, reason = null, sent_at = null`.execute(scope.db)
}

/** Held in this return without an answer that may still come. */
export async function selectUnanswered(scope: TransactionScope, returnId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select k.id from restock_requests k
    join restock_notices n on n.merchant_id = ${scope.merchantId} and n.return_id = ${returnId} and n.request_id = k.id
    where k.merchant_id = ${scope.merchantId} and k.answering = ${returnId} and n.outcome <> 'under_way'`.execute(
    scope.db,
  )
  return rows.map(({ id }) => id)
}

import type { NoticeOutcome, ReturnHold } from '@okaeri/contract/restocks/waves'
import { RestockChannel } from '@okaeri/contract/restocks/channel'
import { type RawBuilder, sql } from 'kysely'
import type { MerchantScope, TransactionScope } from '../../kernel/merchant-scope.ts'
import { ordersOf } from './bought-sql.ts'
import { underWayCountSql } from './under-way-sql.ts'

/** More who wait are not counted one by one. */
export const WAITING_COUNTED_TO = 100_000

export interface OpenRow {
  id: string
  store_product_id: number
  product_name: string | null
  image_url: string | null
  store_variant_id: number
  variant: string | null
  began_at: Date
  held_by: ReturnHold | null
  due_at: Date | null
  unanswered_since: Date | null
  /** When the store is asked again, where that is known. */
  asked_at: Date | null
  quantity: number | null
  read_at: Date | null
  waiting: number
  /** For the wave that is under way. */
  places_left: number | null
  under_way: number
}

/** Open returns with what is known of their stock, those that go on first before the others. */
export async function selectOpenReturns(
  scope: MerchantScope,
  { storeProductId, channels, limit }: { storeProductId?: number; channels: readonly RestockChannel[]; limit: number },
): Promise<OpenRow[]> {
  const { merchantId } = scope
  const counted = (channel: RestockChannel): RawBuilder<unknown> => sql`(
    select from restock_requests k where k.merchant_id = ${merchantId} and k.store_product_id = r.store_product_id
      and k.store_variant_id = r.store_variant_id and k.channel = ${channel} and k.status = 'active' and k.answering is null
    limit ${WAITING_COUNTED_TO})`
  const waiting =
    channels.length === 0
      ? sql`0`
      : sql`(select count(*)::int from (${sql.join(channels.map(counted), sql` union all `)}) as k)`
  const { rows } = await sql<OpenRow>`
    select r.id, r.store_product_id, p.title as product_name, p.image_url, r.store_variant_id, v.title as variant, r.began_at, r.held_by,
      r.due_at, r.unanswered_since, s.asked_at, s.quantity, s.read_at, ${waiting} as waiting,
      (select greatest(w.places - w.told, 0) from restock_waves w
        where w.merchant_id = ${merchantId} and w.return_id = r.id and not w.is_done order by w.number desc limit 1) as places_left,
      ${underWayCountSql(merchantId, sql`r.id`)} as under_way
    from (
      select * from stock_returns where merchant_id = ${merchantId} and ended_at is null
        ${storeProductId === undefined ? sql`` : sql`and store_product_id = ${storeProductId}::bigint`}
      order by due_at nulls first, id limit ${limit}
    ) r
    left join products p on p.merchant_id = ${merchantId} and p.store_product_id = r.store_product_id
    left join product_variants v on v.merchant_id = ${merchantId} and v.store_variant_id = r.store_variant_id
    left join lateral (
      select sum(case when o.sells_without_stock then 'Infinity'::float8 else greatest(o.online_quantity, 0) end) as quantity,
        min(o.online_read_at) as read_at, min(l.due_at) as asked_at
      from product_variants o
      left join stock_looks l on l.merchant_id = ${merchantId} and l.of = 'variant' and l.store_id = o.store_variant_id
      where o.merchant_id = ${merchantId} and o.store_product_id = r.store_product_id
        and (r.store_variant_id = 0 or o.store_variant_id = r.store_variant_id)
    ) s on true
    order by r.due_at nulls first, r.id`.execute(scope.db)
  return rows
}

export async function countOpen(scope: MerchantScope): Promise<{ open: number; asking: number; people: number }> {
  const { merchantId } = scope
  const { rows } = await sql<{ open: number; asking: number; people: number }>`
    select count(*)::int as open, count(*) filter (where held_by = 'many' and due_at is null)::int as asking,
      coalesce(sum(case when held_by = 'many' and due_at is null then (
        select count(*) from restock_requests k where k.merchant_id = ${merchantId} and k.store_product_id = r.store_product_id
          and k.store_variant_id = r.store_variant_id and k.status = 'active' and k.answering is null) end), 0)::int as people
    from stock_returns r where merchant_id = ${merchantId} and ended_at is null`.execute(scope.db)
  return rows[0] ?? { open: 0, asking: 0, people: 0 }
}

/** The channels that people who wait have chosen. */
export async function selectWaitingChannels(scope: MerchantScope): Promise<RestockChannel[]> {
  const { rows } = await sql<{ channel: RestockChannel }>`
    select channel from unnest(${RestockChannel.options}::text[]) as c (channel)
    where exists (select from restock_requests k
      where k.merchant_id = ${scope.merchantId} and k.channel = c.channel and k.status = 'active')`.execute(scope.db)
  return rows.map(({ channel }) => channel)
}

export interface WaveFigures {
  return_id: string
  number: number
  at: Date
  store_variant_id: number
  variant: string | null
  stock: number | null
  told: number
  sent: number
  under_way: number
  bought: number
  unreachable: number
  buyers: number
  revenue: number
}

/** The newest waves of a product, and what the people notified bought of it within so long. */
export async function selectWaves(
  scope: MerchantScope,
  storeProductId: number,
  { limit, windowDays }: { limit: number; windowDays: number },
): Promise<WaveFigures[]> {
  const { merchantId } = scope
  const { rows } = await sql<WaveFigures>`
    select w.return_id, w.number, w.at, r.store_variant_id, v.title as variant, w.stock, w.told, w.bought, w.unreachable,
      coalesce(n.sent, 0) as sent, coalesce(n.under_way, 0) as under_way, coalesce(n.buyers, 0) as buyers,
      coalesce(n.revenue, 0)::float8 as revenue
    from (
      select w.*, r.store_variant_id from restock_waves w
      join stock_returns r on r.merchant_id = ${merchantId} and r.id = w.return_id
      where w.merchant_id = ${merchantId} and r.store_product_id = ${storeProductId}::bigint
      order by w.at desc, w.number desc limit ${limit}
    ) w
    join stock_returns r on r.merchant_id = ${merchantId} and r.id = w.return_id
    left join product_variants v on v.merchant_id = ${merchantId} and v.store_variant_id = r.store_variant_id
    left join lateral (
      select count(*) filter (where n.outcome = 'sent')::int as sent, count(*) filter (where n.outcome = 'under_way')::int as under_way,
        count(b.amount)::int as buyers, sum(b.amount) as revenue
      from restock_notices n
      left join lateral (
        select sum(o.amount) as amount from ${ordersOf(merchantId, {
          customerId: sql`n.customer_id`,
          since: sql`n.sent_at`,
          storeProductId: sql`r.store_product_id`,
          storeVariantId: sql`r.store_variant_id`,
        })} o where o.processed_at < n.sent_at + make_interval(days => ${windowDays}::int)
      ) b on n.sent_at is not null
      where n.merchant_id = ${merchantId} and n.return_id = w.return_id and n.wave = w.number
    ) n on true
    order by w.at desc, w.number desc`.execute(scope.db)
  return rows
}

export interface NoticeRow {
  request_id: string
  customer_id: string | null
  customer_name: string | null
  customer_email: string | null
  channel: RestockChannel
  registered_at: Date
  outcome: NoticeOutcome
  reason: string | null
  sent_at: Date | null
  bought_at: Date | null
}

export async function selectNotices(
  scope: MerchantScope,
  { returnId, wave }: { returnId: string; wave: number },
  page: { limit: number; offset: number },
): Promise<{ rows: NoticeRow[]; total: number }> {
  const { merchantId } = scope
  const isOfWave = sql`n.merchant_id = ${merchantId} and n.return_id = ${returnId} and n.wave::bigint = ${wave}::bigint`
  const [{ rows }, counted] = await Promise.all([
    sql<NoticeRow>`
      select n.request_id, n.customer_id, c.display_name as customer_name, coalesce(k.email, c.email) as customer_email, k.channel,
        k.created_at as registered_at, n.outcome, n.reason, n.sent_at, (
          select min(o.processed_at) from ${ordersOf(merchantId, {
            customerId: sql`n.customer_id`,
            since: sql`n.sent_at`,
            storeProductId: sql`r.store_product_id`,
            storeVariantId: sql`r.store_variant_id`,
          })} o) as bought_at
      from restock_notices n
      join stock_returns r on r.merchant_id = ${merchantId} and r.id = n.return_id
      join restock_requests k on k.merchant_id = ${merchantId} and k.id = n.request_id
      left join customers c on c.merchant_id = ${merchantId} and c.id = n.customer_id
      where ${isOfWave} order by k.created_at, k.id limit ${page.limit} offset ${page.offset}`.execute(scope.db),
    sql<{ count: number }>`select count(*)::int as count from restock_notices n where ${isOfWave}`.execute(scope.db),
  ])
  return { rows, total: counted.rows[0]?.count ?? 0 }
}

export interface AwaitedProduct {
  product_name: string | null
  image_url: string | null
  waiting: number
}
/** Null if the store has no such product and no one ever waited for it. */
export async function selectAwaitedProduct(
  scope: MerchantScope,
  storeProductId: number,
): Promise<AwaitedProduct | null> {
  const { merchantId } = scope
  const id = sql`${storeProductId}::bigint`
  const { rows } = await sql<AwaitedProduct & { known: boolean }>`
    select p.title as product_name, p.image_url, (
        select count(*)::int from restock_requests k
        where k.merchant_id = ${merchantId} and k.store_product_id = ${id} and k.status = 'active') as waiting,
      p.id is not null or exists (select from restock_requests k where k.merchant_id = ${merchantId} and k.store_product_id = ${id}) as known
    from (select 1) as one left join products p on p.merchant_id = ${merchantId} and p.store_product_id = ${id}`.execute(
    scope.db,
  )
  const [row] = rows
  return row?.known ? row : null
}

/** Open returns of a product that may be stopped, or go on. */
export async function markStopped(scope: TransactionScope, storeProductId: number): Promise<number> {
  const { rows } = await sql`
    update stock_returns set held_by = 'stopped', due_at = null, stopped_by = ${scope.memberId}
    where merchant_id = ${scope.merchantId} and store_product_id = ${storeProductId}::bigint and ended_at is null
    returning id`.execute(scope.db)
  return rows.length
}

/** `many`: all that wait for a look, of all products; a person has looked, so the brake does not hold them again. */
export async function markContinued(
  scope: TransactionScope,
  which: { storeProductId: number } | 'many',
): Promise<number> {
  const those = which === 'many' ? sql`held_by = 'many'` : sql`store_product_id = ${which.storeProductId}::bigint`
  const { rows } = await sql`
    update stock_returns set held_by = 'many', due_at = ${scope.now}, continued_at = ${scope.now}, stopped_by = null, unanswered_since = null
    where merchant_id = ${scope.merchantId} and ended_at is null and due_at is null and ${those} returning id`.execute(
    scope.db,
  )
  return rows.length
}

/** So that what a person saw is what happens. */
export async function lockOpenReturns(scope: TransactionScope, storeProductId: number | null): Promise<void> {
  await sql`select from stock_returns where merchant_id = ${scope.merchantId} and ended_at is null
    ${storeProductId === null ? sql`` : sql`and store_product_id = ${storeProductId}::bigint`} order by id for update`.execute(
    scope.db,
  )
}

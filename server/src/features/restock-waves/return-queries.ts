import type { ReturnEnd, ReturnHold } from '@okaeri/contract/restocks/waves'
import type { RestockChannel } from '@okaeri/contract/restocks/channel'
import { type RawBuilder, sql } from 'kysely'
import { newIds } from '../../kernel/ids.ts'
import type { MerchantScope, TransactionScope } from '../../kernel/merchant-scope.ts'
import type { AwaitedItem } from '../restocks/index.ts'

export interface ReturnRow {
  id: string
  store_product_id: number
  store_variant_id: number
  began_at: Date
  due_at: Date | null
  held_by: ReturnHold | null
  /** A person said then that it goes on. */
  continued_at: Date | null
  /** The store was asked then, and has not answered since. */
  unanswered_since: Date | null
}

/**
 * A return for each of these. One that is open settles again, but not for longer than `longestMs` after it began or after its next wave was
 * due, so that stock that changes all day delays no one. What a member stopped stays stopped.
 */
export async function insertReturns(
  scope: TransactionScope,
  awaited: readonly AwaitedItem[],
  { settleMs, longestMs, waveMs }: { settleMs: number; longestMs: number; waveMs: number },
): Promise<void> {
  const { merchantId, now } = scope
  const settled = new Date(now.getTime() + settleMs)
  const after = (at: RawBuilder<unknown>, ms: number) => sql`${at} + ${ms}::float8 * '1 millisecond'::interval`
  const lastWave = sql`coalesce((select max(w.at) from restock_waves w where w.merchant_id = ${merchantId} and w.return_id = o.id), o.began_at)`
  const p = sql`${awaited.map(({ storeProductId }) => storeProductId)}::bigint[]`
  const v = sql`${awaited.map(({ storeVariantId }) => storeVariantId)}::bigint[]`
  await sql`
    update stock_returns k set due_at = o.due_at
    from (
      select o.id, case when o.held_by = 'settling'
        then least(greatest(o.due_at, ${settled}), ${after(sql`o.began_at`, longestMs)})
        else greatest(o.due_at, least(${settled}, ${after(lastWave, waveMs + longestMs)})) end as due_at
      from unnest(${p}, ${v}) as r (p, v)
      join stock_returns o on o.merchant_id = ${merchantId} and o.store_product_id = r.p and o.store_variant_id = r.v
        and o.ended_at is null and o.due_at is not null
      order by o.id for update of o
    ) o
    where k.merchant_id = ${merchantId} and k.id = o.id`.execute(scope.db)
  await sql`
    insert into stock_returns (merchant_id, id, store_product_id, store_variant_id, began_at, due_at, held_by)
    select ${merchantId}, r.id, r.p, r.v, ${now}, ${settled}, 'settling'
    from unnest(${newIds(awaited.length)}::uuid[], ${p}, ${v}) as r (id, p, v)
    order by r.p, r.v
    on conflict (merchant_id, store_product_id, store_variant_id) where ended_at is null do nothing`.execute(scope.db)
}

/** No wave waits longer for the next: a later time is from before a clock was set back. */
export const inEightDays = (now: Date): Date => new Date(now.getTime() + 8 * 86_400_000)

/** The next that is due, locked; null if there is none, or another worker has it. */
export async function claimDueReturn(scope: TransactionScope): Promise<ReturnRow | null> {
  const { rows } = await sql<ReturnRow>`
    select id, store_product_id, store_variant_id, began_at, due_at, held_by, continued_at, unanswered_since from stock_returns
    where merchant_id = ${scope.merchantId} and (due_at <= ${scope.now} or due_at > ${inEightDays(scope.now)}) and ended_at is null
    order by due_at, id limit 1 for update skip locked`.execute(scope.db)
  return rows[0] ?? null
}

/** Until the transaction ends, returns of a product are worked on one after another. */
export async function lockProduct(scope: TransactionScope, storeProductId: number): Promise<void> {
  const key = `restock ${scope.merchantId} ${storeProductId}`
  await sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(scope.db)
}

export async function holdReturn(
  scope: TransactionScope,
  id: string,
  { by, until }: { by: ReturnHold; until: Date | null },
): Promise<void> {
  await sql`update stock_returns set held_by = ${by}, due_at = ${until},
      unanswered_since = ${by === 'reading' ? sql`coalesce(unanswered_since, ${scope.now})` : null}
    where merchant_id = ${scope.merchantId} and id = ${id}`.execute(scope.db)
}

/** The store said what is in stock of these products: what waited for that goes on now. */
export async function wakeReading(scope: TransactionScope, storeProductIds: readonly number[]): Promise<void> {
  await sql`update stock_returns r set due_at = least(r.due_at, ${scope.now}), unanswered_since = null
    from (
      select id from stock_returns where merchant_id = ${scope.merchantId} and store_product_id = any(${[...storeProductIds]}::bigint[])
        and ended_at is null and held_by = 'reading' order by id for update
    ) those
    where r.merchant_id = ${scope.merchantId} and r.id = those.id`.execute(scope.db)
}

export async function endReturn(scope: TransactionScope, id: string, as: ReturnEnd): Promise<void> {
  await sql`update stock_returns set ended_at = ${scope.now}, ended_as = ${as}, due_at = null, held_by = null
    where merchant_id = ${scope.merchantId} and id = ${id}`.execute(scope.db)
}

/** A return that notified no one leaves no trace: the stock only fluctuated. */
export async function deleteReturn(scope: TransactionScope, id: string): Promise<void> {
  await sql`delete from stock_returns where merchant_id = ${scope.merchantId} and id = ${id}`.execute(scope.db)
}

/** Returns whose first wave was within that time, at most so many are counted. */
export async function countBegun(scope: MerchantScope, since: Date, atMost: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (
      select from stock_returns r where r.merchant_id = ${scope.merchantId} and r.began_at >= ${since}
        and exists (select from restock_waves w where w.merchant_id = ${scope.merchantId} and w.return_id = r.id)
      limit ${atMost}) as few`.execute(scope.db)
  return rows[0]?.count ?? 0
}

export interface StockOf {
  /** What sells online; Infinity: sold whether there is any or not; null: never asked, or no such variant. */
  quantity: number | null
  /** When the oldest of it was read. */
  readAt: Date | null
  variantIds: number[]
  /** The store shows it. */
  isOnSale: boolean
}

/** The last known stock; of a product as a whole that of all its variants together. */
export async function selectStockOf(scope: MerchantScope, awaited: AwaitedItem): Promise<StockOf> {
  const { merchantId } = scope
  const { rows } = await sql<StockOf>`
    select sum(case when v.sells_without_stock then 'Infinity'::float8 else greatest(v.online_quantity, 0) end) as quantity,
      min(coalesce(v.online_read_at, '-infinity')) as "readAt", coalesce(array_agg(v.store_variant_id), '{}') as "variantIds",
      coalesce(bool_and(p.status = 'ACTIVE' and p.deleted_at is null), false) as "isOnSale"
    from product_variants v join products p on p.merchant_id = ${merchantId} and p.store_product_id = v.store_product_id
    where v.merchant_id = ${merchantId} and v.store_product_id = ${awaited.storeProductId}
      and (${awaited.storeVariantId}::bigint = 0 or v.store_variant_id = ${awaited.storeVariantId}::bigint)`.execute(
    scope.db,
  )
  const [found] = rows
  if (!found) return { quantity: null, readAt: null, variantIds: [], isOnSale: false }
  return { ...found, readAt: found.readAt instanceof Date ? found.readAt : null }
}

export interface RestockScenario {
  id: string
  name: string
  enabled_at: Date | null
  channels: RestockChannel[]
}
/** Active scenarios of the trigger, the one activated first before the others, with the channels they send by. */
export async function selectRestockScenarios(scope: MerchantScope): Promise<RestockScenario[]> {
  const { rows } = await sql<RestockScenario>`
    select s.id, s.name, s.enabled_at, array_remove(array[
      case when jsonb_path_exists(v.flow, '$.nodes[*] ? (@.kind == "send_email")') then 'email' end,
      case when jsonb_path_exists(v.flow, '$.nodes[*] ? (@.kind == "send_line")') then 'line' end], null) as channels
    from scenarios s
    join scenario_versions v on v.merchant_id = ${scope.merchantId} and v.scenario_id = s.id and v.number = s.version
    where s.merchant_id = ${scope.merchantId} and s.status = 'active' and s.trigger_kind = 'product_restocked'
    order by s.enabled_at nulls last, s.created_at, s.id`.execute(scope.db)
  return rows
}

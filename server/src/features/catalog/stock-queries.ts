import { type RawBuilder, sql } from 'kysely'
import { inAnHour } from '../../kernel/work/due-merchants.ts'
import { isFree, leaseEnd } from '../../kernel/work/leases.ts'
import type { MerchantScope, TransactionScope } from '../../kernel/merchant-scope.ts'

export interface OnlineStock {
  storeVariantId: number
  /** Over all locations that sell online. Infinity: sold whether there is any or not. */
  quantity: number
}

export interface StockLook {
  of: 'variant' | 'item'
  store_id: number
  asked_at: Date
  attempts: number
}

export async function insertLooks(
  scope: MerchantScope,
  of: StockLook['of'],
  storeIds: readonly number[],
): Promise<void> {
  await sql`
    insert into stock_looks as l (merchant_id, of, store_id, asked_at, due_at)
    select ${scope.merchantId}, ${of}::text, id, ${scope.now}, ${scope.now} from unnest(${[...storeIds]}::bigint[]) as r (id) order by id
    on conflict (merchant_id, of, store_id) do update set asked_at = excluded.asked_at,
      -- What failed waits for its time all the same.
      due_at = case when l.attempts > 0 then l.due_at else least(l.due_at, excluded.due_at) end`.execute(scope.db)
}

/** Of variants for which the store was never asked. */
export async function insertLooksOfUnknown(scope: MerchantScope, storeProductIds: readonly number[]): Promise<void> {
  await sql`
    insert into stock_looks (merchant_id, of, store_id, asked_at, due_at)
    select v.merchant_id, 'variant', v.store_variant_id, ${scope.now}, ${scope.now} from product_variants v
    where v.merchant_id = ${scope.merchantId} and v.store_product_id = any(${[...storeProductIds]}::bigint[]) and v.online_read_at is null
    order by v.store_variant_id
    on conflict (merchant_id, of, store_id) do nothing`.execute(scope.db)
}

export async function claimLooks(
  scope: MerchantScope,
  { limit, leaseMs }: { limit: number; leaseMs: number },
): Promise<StockLook[]> {
  const { rows } = await sql<StockLook>`
    with due as materialized (
      select of, store_id from stock_looks
      where merchant_id = ${scope.merchantId} and (due_at <= ${scope.now} or due_at > ${inAnHour(scope.now)}) and ${isFree}
      order by due_at, store_id limit ${limit} for update skip locked
    )
    update stock_looks l set lease_expires_at = ${leaseEnd(leaseMs)} from due
    where l.merchant_id = ${scope.merchantId} and l.of = due.of and l.store_id = due.store_id
    returning l.of, l.store_id, l.asked_at, l.attempts`.execute(scope.db)
  return rows
}

const those = (looks: readonly StockLook[]): RawBuilder<unknown> => sql`
  unnest(${looks.map(({ of }) => of)}::text[], ${looks.map(({ store_id: id }) => id)}::bigint[],
    ${looks.map(({ asked_at: at }) => at)}::timestamptz[]) as r (of, store_id, asked_at)`

/** Those named again meanwhile stay, and are looked at again. */
export async function deleteLooks(scope: MerchantScope, looks: readonly StockLook[]): Promise<void> {
  await sql`delete from stock_looks l using ${those(looks)}
    where l.merchant_id = ${scope.merchantId} and l.of = r.of and l.store_id = r.store_id and l.asked_at <= r.asked_at`.execute(
    scope.db,
  )
  await sql`update stock_looks l set lease_expires_at = null from ${those(looks)}
    where l.merchant_id = ${scope.merchantId} and l.of = r.of and l.store_id = r.store_id`.execute(scope.db)
}

export async function postponeLooks(scope: MerchantScope, looks: readonly StockLook[], until: Date): Promise<void> {
  await sql`update stock_looks l set lease_expires_at = null, attempts = l.attempts + 1, due_at = ${until} from ${those(looks)}
    where l.merchant_id = ${scope.merchantId} and l.of = r.of and l.store_id = r.store_id`.execute(scope.db)
}

export interface StockRow {
  store_product_id: number
  store_variant_id: number
  /** Null: never asked. */
  quantity: number | null
  read_at: Date | null
}
const columns = sql`store_product_id, store_variant_id,
  case when sells_without_stock then 'Infinity'::float8 else online_quantity end as quantity, online_read_at as read_at`

export async function selectStock(scope: MerchantScope, storeVariantIds: readonly number[]): Promise<StockRow[]> {
  const { rows } = await sql<StockRow>`
    select ${columns} from product_variants
    where merchant_id = ${scope.merchantId} and store_variant_id = any(${[...storeVariantIds]}::bigint[])`.execute(
    scope.db,
  )
  return rows
}

/** In one order, so that two answers of the store do not wait for each other. */
export async function lockStock(scope: TransactionScope, storeVariantIds: readonly number[]): Promise<StockRow[]> {
  const { rows } = await sql<StockRow>`
    select ${columns} from product_variants
    where merchant_id = ${scope.merchantId} and store_variant_id = any(${[...storeVariantIds]}::bigint[])
    order by store_variant_id for no key update`.execute(scope.db)
  return rows
}

export async function updateStock(scope: TransactionScope, stock: readonly OnlineStock[]): Promise<void> {
  const isCounted = ({ quantity }: OnlineStock): boolean => Number.isFinite(quantity)
  await sql`
    update product_variants v set online_quantity = r.quantity, sells_without_stock = r.quantity is null, online_read_at = ${scope.now}
    from unnest(${stock.map(({ storeVariantId }) => storeVariantId)}::bigint[],
      ${stock.map((one) => (isCounted(one) ? one.quantity : null))}::int[]) as r (id, quantity)
    where v.merchant_id = ${scope.merchantId} and v.store_variant_id = r.id`.execute(scope.db)
}

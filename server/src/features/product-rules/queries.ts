import { type RawBuilder, sql } from 'kysely'
import type { ProductsOfCustomer } from '../email-rendering/index.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'

/** Of products in an order of the store's; sold out and excluded ones are left out later. */
const RANKED = 60
/** Of one customer. */
const MAX_OWN = 24
const MAX_BOUGHT = 500
/** Of the last order: the dearest. */
const LAST_BOUGHT = 2
/** The newest orders of a product say what is bought with it. */
const ORDERS_OF_PRODUCT = 100
const COMPANIONS = 12

const canBeBought = sql`p.deleted_at is null and p.status = 'ACTIVE' and (p.total_inventory is null or p.total_inventory > 0)`

/** Pieces sold since then, cancelled orders left out. */
export async function selectBestSold(scope: MerchantScope, since: Date): Promise<number[]> {
  const { rows } = await sql<{ number: number }>`
    with sold as (
      select l.store_product_id as number, sum(l.quantity) as pieces
      from order_lines l join orders o on o.merchant_id = ${scope.merchantId} and o.id = l.order_id
      where l.merchant_id = ${scope.merchantId} and l.processed_at >= ${since} and l.store_product_id is not null
        and o.cancelled_at is null and o.deleted_at is null
      group by l.store_product_id
    )
    select s.number from sold s
    join products p on p.merchant_id = ${scope.merchantId} and p.store_product_id = s.number
    where ${canBeBought} order by s.pieces desc, s.number desc limit ${RANKED}`.execute(scope.db)
  return rows.map(({ number }) => number)
}

/** The platform's numbers grow. */
export async function selectNewest(scope: MerchantScope): Promise<number[]> {
  const { rows } = await sql<{ number: number }>`
    select p.store_product_id as number from products p
    where p.merchant_id = ${scope.merchantId} and ${canBeBought} order by p.store_product_id desc limit ${RANKED}`.execute(
    scope.db,
  )
  return rows.map(({ number }) => number)
}

export interface KnownOfCustomer extends Omit<ProductsOfCustomer, 'bought_together'> {
  id: string
  /** The last order's. */
  last_bought: readonly number[]
}

/** What is known of each of these customers, in one statement: each list is found by the customer's own index entries. */
export async function selectOfCustomers(
  scope: MerchantScope,
  customerIds: readonly string[],
  wants: readonly (keyof ProductsOfCustomer)[],
): Promise<KnownOfCustomer[]> {
  const { merchantId } = scope
  // The driver reads lists of bigints as texts, and JSON sooner than lists of other numbers.
  const list = (want: keyof ProductsOfCustomer, query: RawBuilder<unknown>): RawBuilder<unknown> =>
    wants.includes(want) ? sql`array_to_json(array(${query}))` : sql`'[]'::json`
  // The few orders that do not count are read once for a customer: to look up the order of each line cost more than all the rest.
  const ordersOf = (which: RawBuilder<unknown>): RawBuilder<unknown> =>
    sql`array(select o.id from orders o where o.merchant_id = ${merchantId} and o.customer_id = c.id and ${which} is not null)`
  const lines = sql`order_lines l
    where l.merchant_id = ${merchantId} and l.customer_id = c.id and l.store_product_id is not null
      and l.order_id <> all (${ordersOf(sql`o.cancelled_at`)}) and l.order_id <> all (${ordersOf(sql`o.deleted_at`)})`
  const { rows } = await sql<KnownOfCustomer>`
    select c.id,
      ${list('bought', sql`select distinct l.store_product_id from ${lines} limit ${MAX_BOUGHT}`)} as bought,
      ${list(
        'bought_together',
        sql`select l.store_product_id from ${lines} order by l.processed_at desc, l.order_id desc, l.amount desc
          limit ${LAST_BOUGHT}`,
      )} as last_bought,
      ${list(
        'viewed',
        sql`select w.store_product_id from product_views w
          where w.merchant_id = ${merchantId} and w.customer_id = c.id
          order by w.viewed_at desc, w.store_product_id desc limit ${MAX_OWN}`,
      )} as viewed,
      ${list(
        'favorites',
        sql`select f.store_product_id from favorites f
          where f.merchant_id = ${merchantId} and f.customer_id = c.id and f.status = 'active'
          group by f.store_product_id order by max(f.created_at) desc, f.store_product_id desc limit ${MAX_OWN}`,
      )} as favorites,
      ${list(
        'back_in_stock',
        sql`select r.store_product_id from restock_requests r
          where r.merchant_id = ${merchantId} and r.customer_id = c.id and r.status in ('active', 'sent')
          group by r.store_product_id order by max(r.created_at) desc, r.store_product_id desc limit ${MAX_OWN}`,
      )} as back_in_stock
    from unnest(${customerIds}::uuid[]) as c (id)`.execute(scope.db)
  return rows
}

/** What was bought with each of these products, the most often bought first. A cancelled order says so too. */
export async function selectCompanions(
  scope: MerchantScope,
  numbers: readonly number[],
): Promise<{ number: number; companions: number[] }[]> {
  const { merchantId } = scope
  const { rows } = await sql<{ number: number; companions: number[] }>`
    select w.number, array(
      select l.store_product_id::float8
      from (
        select n.order_id from order_lines n where n.merchant_id = ${merchantId} and n.store_product_id = w.number
        order by n.processed_at desc limit ${ORDERS_OF_PRODUCT}
      ) recent
      join order_lines l on l.merchant_id = ${merchantId} and l.order_id = recent.order_id
      where l.store_product_id is not null and l.store_product_id <> w.number
      group by l.store_product_id order by count(*) desc, l.store_product_id desc limit ${COMPANIONS}
    ) as companions
    from unnest(${numbers}::bigint[]) as w (number)`.execute(scope.db)
  return rows
}

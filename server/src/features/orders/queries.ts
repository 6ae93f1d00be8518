import { sql } from 'kysely'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { emailKeyOf, type OrderSums } from '../customers/index.ts'

/** An order of the store. Amounts in minor units of `currency`, the shop's own. */
export interface StoreOrder {
  storeOrderId: number
  storeCustomerId: number | null
  name: string
  email: string | null
  processedAt: Date
  totalAmount: number
  currentAmount: number
  currency: string
  /** PAID, REFUNDED, …; the platform's words in capitals. */
  financialStatus: string | null
  cancelledAt: Date | null
  /** Path and query within the store. */
  landingSite: string | null
  tags?: readonly string[]
  discountCodes?: readonly string[]
  /** FULFILLED, UNFULFILLED, PARTIALLY_FULFILLED, …; the platform's words in capitals. */
  fulfillmentStatus?: string | null
  /** Token of its checkout and of its cart. Null if the source does not have it. */
  checkoutToken?: string | null
  cartToken?: string | null
  updatedAt: Date
  lines: readonly {
    storeProductId: number | null
    storeVariantId?: number | null
    title: string
    sku: string | null
    quantity: number
    /** The whole line, after discounts. */
    amount: number
  }[]
}

export interface KnownOrder {
  id: string
  storeOrderId: number
  customerId: string | null
  currentAmount: number
  currency: string
  cancelledAt: Date | null
  storeUpdatedAt: Date | null
  financialStatus: string | null
  fulfillmentStatus: string | null
  announcedAt: Date | null
}

/** Locked until the transaction ends, in the order of the store's numbers. */
export async function lockKnown(scope: MerchantScope, storeOrderIds: readonly number[]): Promise<KnownOrder[]> {
  const { rows } = await sql<KnownOrder>`
    select id, store_order_id as "storeOrderId", customer_id as "customerId", current_amount as "currentAmount", currency,
      cancelled_at as "cancelledAt", store_updated_at as "storeUpdatedAt", announced_at as "announcedAt",
      financial_status as "financialStatus", fulfillment_status as "fulfillmentStatus"
    from orders where merchant_id = ${scope.merchantId} and store_order_id = any(${storeOrderIds}::bigint[])
    order by store_order_id for update
  `.execute(scope.db)
  return rows
}

export interface OrderWrite extends StoreOrder {
  id: string
  customerId: string | null
  announced: boolean
}

/**
 * Thousands of orders in one statement. If another process inserted an order meanwhile, the newer of the two wins. Only some sources name
 * the landing page; it stays once known. Returns our ids by the store's numbers.
 */
export async function upsertOrders(scope: MerchantScope, orders: readonly OrderWrite[]): Promise<Map<number, string>> {
  const records = orders.map((order) => ({
    id: order.id,
    store_order_id: order.storeOrderId,
    customer_id: order.customerId,
    store_customer_id: order.storeCustomerId,
    name: order.name,
    email_key: emailKeyOf(order.email),
    processed_at: order.processedAt,
    total_amount: order.totalAmount,
    current_amount: order.currentAmount,
    currency: order.currency,
    financial_status: order.financialStatus,
    cancelled_at: order.cancelledAt,
    landing_site: order.landingSite,
    tags: order.tags ?? [],
    discount_codes: order.discountCodes ?? [],
    fulfillment_status: order.fulfillmentStatus ?? null,
    checkout_token: order.checkoutToken ?? null,
    cart_token: order.cartToken ?? null,
    store_updated_at: order.updatedAt,
    announced_at: order.announced ? scope.now : null,
  }))
  const { rows } = await sql<{ id: string; storeOrderId: number }>`
    insert into orders as o (merchant_id, id, store_order_id, customer_id, store_customer_id, name, email_key, processed_at,
      total_amount, current_amount, currency, financial_status, cancelled_at, landing_site, tags, discount_codes,
      fulfillment_status, checkout_token, cart_token, store_updated_at, announced_at)
    select ${scope.merchantId}, r.* from jsonb_to_recordset(${JSON.stringify(records)}::jsonb) as r(id uuid, store_order_id bigint,
      customer_id uuid, store_customer_id bigint, name text, email_key text, processed_at timestamptz, total_amount bigint,
      current_amount bigint, currency text, financial_status text, cancelled_at timestamptz, landing_site text,
      tags text[], discount_codes text[], fulfillment_status text, checkout_token text, cart_token text,
      store_updated_at timestamptz, announced_at timestamptz)
    order by r.store_order_id
    on conflict (merchant_id, store_order_id) do update set
      customer_id = excluded.customer_id, store_customer_id = excluded.store_customer_id, name = excluded.name,
      email_key = excluded.email_key, processed_at = excluded.processed_at, total_amount = excluded.total_amount,
      current_amount = excluded.current_amount, currency = excluded.currency, financial_status = excluded.financial_status,
      cancelled_at = excluded.cancelled_at, landing_site = coalesce(excluded.landing_site, o.landing_site),
      tags = excluded.tags, discount_codes = excluded.discount_codes, fulfillment_status = excluded.fulfillment_status,
      checkout_token = coalesce(excluded.checkout_token, o.checkout_token), cart_token = coalesce(excluded.cart_token, o.cart_token),
      store_updated_at = excluded.store_updated_at, announced_at = coalesce(o.announced_at, excluded.announced_at),
      deleted_at = null
    where o.store_updated_at is null or excluded.store_updated_at >= o.store_updated_at
    returning o.id, o.store_order_id as "storeOrderId"
  `.execute(scope.db)
  return new Map(rows.map(({ id, storeOrderId }) => [storeOrderId, id]))
}

/** `before`: ids of orders that may have lines already. */
export async function replaceLines(
  scope: MerchantScope,
  orders: readonly OrderWrite[],
  before: ReadonlySet<string>,
): Promise<void> {
  if (before.size > 0)
    await sql`
      delete from order_lines where merchant_id = ${scope.merchantId} and order_id = any(${[...before]}::uuid[])
    `.execute(scope.db)
  const records = orders.flatMap((order) =>
    order.lines.map((line, position) => ({
      order_id: order.id,
      position,
      customer_id: order.customerId,
      store_product_id: line.storeProductId,
      store_variant_id: line.storeVariantId ?? null,
      title: line.title,
      sku: line.sku,
      quantity: line.quantity,
      amount: line.amount,
      processed_at: order.processedAt,
    })),
  )
  await sql`
    insert into order_lines (merchant_id, order_id, position, customer_id, store_product_id, store_variant_id, title, sku, quantity,
      amount, processed_at)
    select ${scope.merchantId}, r.* from jsonb_to_recordset(${JSON.stringify(records)}::jsonb) as r(order_id uuid, position int,
      customer_id uuid, store_product_id bigint, store_variant_id bigint, title text, sku text, quantity int, amount bigint, processed_at timestamptz)
  `.execute(scope.db)
}

export async function markAnnounced(scope: MerchantScope, orderId: string): Promise<void> {
  await sql`
    update orders set announced_at = ${scope.now} where merchant_id = ${scope.merchantId} and id = ${orderId}
  `.execute(scope.db)
}

export async function writeCurrentAmount(scope: MerchantScope, orderId: string, currentAmount: number): Promise<void> {
  await sql`
    update orders set current_amount = ${currentAmount} where merchant_id = ${scope.merchantId} and id = ${orderId}
  `.execute(scope.db)
}

/** Sums over orders that are not cancelled; amounts of the account's currency only. Customers without orders have zeros. */
export async function sumUp(scope: MerchantScope, customerIds: readonly string[]): Promise<OrderSums[]> {
  const { rows } = await sql<OrderSums>`
    select c.id as "customerId", count(o.id)::int as count,
      coalesce(sum(o.current_amount) filter (where o.currency = m.currency), 0)::bigint as amount,
      (count(o.id) filter (where o.currency <> m.currency))::int as "otherCurrency", max(o.processed_at) as "lastOrderAt", min(o.processed_at) as "firstOrderAt"
    from unnest(${customerIds}::uuid[]) as c(id)
    join merchants m on m.id = ${scope.merchantId}
    left join orders o on o.merchant_id = ${scope.merchantId} and o.customer_id = c.id and o.cancelled_at is null
    group by c.id
  `.execute(scope.db)
  return rows
}

/** When the store last changed these orders, for those we have. */
export async function selectKnownOrders(
  scope: MerchantScope,
  storeOrderIds: readonly number[],
): Promise<Map<number, Date | null>> {
  const { rows } = await sql<{ number: number; at: Date | null }>`
    select store_order_id as number, store_updated_at as at from orders
    where merchant_id = ${scope.merchantId} and store_order_id = any(${storeOrderIds}::bigint[]) and deleted_at is null
  `.execute(scope.db)
  return new Map(rows.map(({ number, at }) => [number, at]))
}

/** A page of the store's numbers of orders placed since then, in their order. */
export async function selectOrderIds(
  scope: MerchantScope,
  { after, limit, placedSince }: { after: number; limit: number; placedSince: Date | null },
): Promise<number[]> {
  const { rows } = await sql<{ number: number }>`
    select store_order_id as number from orders
    where merchant_id = ${scope.merchantId} and store_order_id > ${after} and deleted_at is null
      and (${placedSince}::timestamptz is null or processed_at >= ${placedSince})
    order by store_order_id limit ${limit}
  `.execute(scope.db)
  return rows.map(({ number }) => number)
}

export async function markGone(scope: MerchantScope, orderIds: readonly string[]): Promise<void> {
  await sql`
    update orders set deleted_at = ${scope.now}, cancelled_at = coalesce(cancelled_at, ${scope.now})
    where merchant_id = ${scope.merchantId} and id = any(${orderIds}::uuid[])
  `.execute(scope.db)
}

export async function moveToCustomer(scope: MerchantScope, fromId: string, intoId: string): Promise<void> {
  await sql`
    update orders set customer_id = ${intoId}, store_customer_id = (
      select store_customer_id from customers where merchant_id = ${scope.merchantId} and id = ${intoId})
    where merchant_id = ${scope.merchantId} and customer_id = ${fromId}
  `.execute(scope.db)
  await sql`
    update order_lines set customer_id = ${intoId} where merchant_id = ${scope.merchantId} and customer_id = ${fromId}
  `.execute(scope.db)
}

export async function selectCustomersToRecount(scope: MerchantScope, after: string, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from customers where merchant_id = ${scope.merchantId} and id > ${after} order by id limit ${limit}
  `.execute(scope.db)
  return rows.map(({ id }) => id)
}

export interface OrderRow {
  id: string
  name: string
  processed_at: Date
  current_amount: number
  currency: string
  financial_status: string | null
  cancelled_at: Date | null
  lines: { title: string; quantity: number; amount: number }[]
}

export async function selectCustomerOrders(
  scope: MerchantScope,
  customerId: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ rows: OrderRow[]; total: number }> {
  const page = sql<OrderRow>`
    select o.id, o.name, o.processed_at, o.current_amount, o.currency, o.financial_status, o.cancelled_at,
      coalesce((
        select jsonb_agg(jsonb_build_object('title', l.title, 'quantity', l.quantity, 'amount', l.amount) order by l.position)
        from order_lines l where l.merchant_id = ${scope.merchantId} and l.order_id = o.id
      ), '[]') as lines
    from orders o where o.merchant_id = ${scope.merchantId} and o.customer_id = ${customerId} and o.deleted_at is null
    order by o.processed_at desc, o.id desc limit ${limit} offset ${offset}
  `.execute(scope.db)
  const count = sql<{ total: number }>`
    select count(*) as total from orders
    where merchant_id = ${scope.merchantId} and customer_id = ${customerId} and deleted_at is null
  `.execute(scope.db)
  const [{ rows }, counted] = await Promise.all([page, count])
  return { rows, total: counted.rows[0]?.total ?? 0 }
}

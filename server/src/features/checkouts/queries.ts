import { sql } from 'kysely'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'

/** A checkout of the store. Amounts in minor units of `currency`. */
export interface StoreCheckout {
  storeCheckoutId: number
  /** Null where the source does not say. */
  token: string | null
  cartToken: string | null
  storeCustomerId: number | null
  email: string | null
  totalAmount: number
  currency: string
  lines: readonly BasketLine[]
  recoveryUrl: string | null
  createdAt: Date
  updatedAt: Date
  completedAt: Date | null
}

export interface StoreCart {
  token: string
  lines: readonly BasketLine[]
  createdAt: Date
  updatedAt: Date
}

export interface BasketLine {
  storeProductId: number | null
  storeVariantId: number | null
  title: string
  quantity: number
  /** The whole line, in minor units. */
  amount: number
}
const storedLines = (lines: readonly BasketLine[]) =>
  lines.map((line) => ({
    store_product_id: line.storeProductId,
    store_variant_id: line.storeVariantId,
    title: line.title,
    quantity: line.quantity,
    amount: line.amount,
  }))

const customersOf = ({ rows }: { rows: { id: string | null }[] }): string[] => rows.flatMap(({ id }) => id ?? [])

/**
 * Cart, checkout and order of one purchase arrive at the same moment and are processed in parallel: each looks for the others, and without
 * this lock none would see them. Held until the transaction ends; always taken in the same order.
 */
export async function lockTokens(scope: MerchantScope, tokens: readonly string[]): Promise<void> {
  const names = [...new Set(tokens)].sort().map((token) => `${scope.merchantId} basket ${token}`)
  if (names.length === 0) return
  await sql`
    select pg_advisory_xact_lock(hashtextextended(name, 0)) from unnest(${names}::text[]) with ordinality as n (name, place)
    order by place`.execute(scope.db)
}

/**
 * Hundreds in one statement. Data older than ours is skipped; tokens and completion stay once known. An order that arrived before its checkout
 * left no row here, so the completion comes with the store's own `completed_at`. Returns the customers of the rows written.
 */
export async function upsertCheckouts(
  scope: MerchantScope,
  checkouts: readonly (StoreCheckout & { id: string; customerId: string | null; emailKey: string | null })[],
): Promise<string[]> {
  const records = checkouts.map((checkout) => ({
    id: checkout.id,
    store_checkout_id: checkout.storeCheckoutId,
    token: checkout.token,
    cart_token: checkout.cartToken,
    customer_id: checkout.customerId,
    store_customer_id: checkout.storeCustomerId,
    email_key: checkout.emailKey,
    total_amount: checkout.totalAmount,
    currency: checkout.currency,
    lines: storedLines(checkout.lines),
    recovery_url: checkout.recoveryUrl,
    created_at: checkout.createdAt,
    store_updated_at: checkout.updatedAt,
    completed_at: checkout.completedAt,
  }))
  return customersOf(
    await sql<{ id: string | null }>`
      insert into checkouts as k (merchant_id, id, store_checkout_id, token, cart_token, customer_id, store_customer_id, email_key, total_amount,
        currency, lines, recovery_url, created_at, store_updated_at, completed_at)
      select ${scope.merchantId}, r.id, r.store_checkout_id, r.token, r.cart_token,
        coalesce(r.customer_id, (
          select c.id from customers c where c.merchant_id = ${scope.merchantId} and c.email_key = r.email_key
          order by c.created_at, c.id limit 1)),
        r.store_customer_id, r.email_key, r.total_amount, r.currency, r.lines, r.recovery_url, r.created_at, r.store_updated_at,
        coalesce(r.completed_at, (
          select min(o.processed_at) from orders o
          where o.merchant_id = ${scope.merchantId} and o.checkout_token = r.token))
      from jsonb_to_recordset(${JSON.stringify(records)}::jsonb) as r(id uuid, store_checkout_id bigint, token text, cart_token text, customer_id uuid,
        store_customer_id bigint, email_key text, total_amount bigint, currency text, lines jsonb, recovery_url text,
        created_at timestamptz, store_updated_at timestamptz, completed_at timestamptz)
      order by r.store_checkout_id
      on conflict (merchant_id, store_checkout_id) do update set
        token = coalesce(excluded.token, k.token), cart_token = coalesce(excluded.cart_token, k.cart_token), customer_id = coalesce(excluded.customer_id, k.customer_id),
        store_customer_id = coalesce(excluded.store_customer_id, k.store_customer_id),
        email_key = coalesce(excluded.email_key, k.email_key), total_amount = excluded.total_amount, currency = excluded.currency,
        lines = excluded.lines, recovery_url = coalesce(excluded.recovery_url, k.recovery_url),
        store_updated_at = excluded.store_updated_at, completed_at = coalesce(k.completed_at, excluded.completed_at)
      where excluded.store_updated_at >= k.store_updated_at
      returning k.customer_id as id
    `.execute(scope.db),
  )
}

export async function deleteCheckout(scope: MerchantScope, storeCheckoutId: number): Promise<string[]> {
  return customersOf(
    await sql<{ id: string | null }>`
      delete from checkouts where merchant_id = ${scope.merchantId} and store_checkout_id = ${storeCheckoutId}
      returning customer_id as id
    `.execute(scope.db),
  )
}

export interface CompletedCheckout {
  token: string
  at: Date
}
const boughtRows = (bought: readonly CompletedCheckout[]) =>
  sql`unnest(${bought.map(({ token }) => token)}::text[], ${bought.map(({ at }) => at)}::timestamptz[]) as b (token, at)`

export async function completeCheckouts(scope: MerchantScope, bought: readonly CompletedCheckout[]): Promise<string[]> {
  if (bought.length === 0) return []
  return customersOf(
    await sql<{ id: string | null }>`
      update checkouts k set completed_at = b.at from ${boughtRows(bought)}
      where k.merchant_id = ${scope.merchantId} and k.token = b.token and k.completed_at is null returning k.customer_id as id
    `.execute(scope.db),
  )
}

/** When the store last changed these checkouts, for those we have. */
export async function selectKnownCheckouts(
  scope: MerchantScope,
  storeCheckoutIds: readonly number[],
): Promise<Map<number, Date | null>> {
  const { rows } = await sql<{ number: number; at: Date | null }>`
    select store_checkout_id as number, store_updated_at as at from checkouts
    where merchant_id = ${scope.merchantId} and store_checkout_id = any(${storeCheckoutIds}::bigint[])
  `.execute(scope.db)
  return new Map(rows.map(({ number, at }) => [number, at]))
}

export async function upsertCart(scope: MerchantScope, cart: StoreCart & { id: string }): Promise<string[]> {
  return customersOf(
    await sql<{ id: string | null }>`
      insert into carts as k (merchant_id, id, token, customer_id, lines, items_count, created_at, store_updated_at, converted_at)
      select ${scope.merchantId}, ${cart.id}::uuid, ${cart.token}::text,
        (select c.customer_id from checkouts c where c.merchant_id = ${scope.merchantId} and c.cart_token = ${cart.token} limit 1),
        ${JSON.stringify(storedLines(cart.lines))}::jsonb,
        ${cart.lines.reduce((sum, { quantity }) => sum + quantity, 0)}::int, ${cart.createdAt}::timestamptz,
        ${cart.updatedAt}::timestamptz, (
          select min(o.processed_at) from orders o
          where o.merchant_id = ${scope.merchantId} and o.cart_token = ${cart.token})
      on conflict (merchant_id, token) do update set
        lines = excluded.lines, items_count = excluded.items_count, store_updated_at = excluded.store_updated_at,
        converted_at = coalesce(k.converted_at, excluded.converted_at)
      where excluded.store_updated_at >= k.store_updated_at
      returning k.customer_id as id
    `.execute(scope.db),
  )
}

/** A cart belongs to the customer of its checkout. */
export async function ownCarts(
  scope: MerchantScope,
  pairs: readonly { cartToken: string; storeCheckoutId: number }[],
): Promise<string[]> {
  if (pairs.length === 0) return []
  return customersOf(
    await sql<{ id: string | null }>`
      update carts k set customer_id = c.customer_id
      from unnest(${pairs.map(({ cartToken }) => cartToken)}::text[],
        ${pairs.map(({ storeCheckoutId }) => storeCheckoutId)}::bigint[]) as r(token, store_checkout_id)
      join checkouts c on c.merchant_id = ${scope.merchantId} and c.store_checkout_id = r.store_checkout_id
      where k.merchant_id = ${scope.merchantId} and k.token = r.token and c.customer_id is not null
        and k.customer_id is distinct from c.customer_id
      returning k.customer_id as id
    `.execute(scope.db),
  )
}

export async function convertCarts(scope: MerchantScope, bought: readonly CompletedCheckout[]): Promise<string[]> {
  if (bought.length === 0) return []
  return customersOf(
    await sql<{ id: string | null }>`
      update carts k set converted_at = b.at from ${boughtRows(bought)}
      where k.merchant_id = ${scope.merchantId} and k.token = b.token and k.converted_at is null returning k.customer_id as id
    `.execute(scope.db),
  )
}

export async function moveFromGuest(scope: MerchantScope, guestId: string, customerId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update carts set customer_id = ${customerId}, guest_id = null
    where merchant_id = ${scope.merchantId} and guest_id = ${guestId} returning id
  `.execute(scope.db)
  const moved = await sql<{ id: string }>`
    update checkouts set customer_id = ${customerId}, guest_id = null
    where merchant_id = ${scope.merchantId} and guest_id = ${guestId} returning id
  `.execute(scope.db)
  return [...rows, ...moved.rows].map(({ id }) => id)
}

export async function moveToCustomer(scope: MerchantScope, fromId: string, intoId: string): Promise<void> {
  await sql`
    update checkouts set customer_id = ${intoId}, store_customer_id = (
      select store_customer_id from customers where merchant_id = ${scope.merchantId} and id = ${intoId})
    where merchant_id = ${scope.merchantId} and customer_id = ${fromId}
  `.execute(scope.db)
  await sql`
    update carts set customer_id = ${intoId} where merchant_id = ${scope.merchantId} and customer_id = ${fromId}
  `.execute(scope.db)
}

/** Clears the address too; the lines stay, for the sums. */
export async function clearCustomer(scope: MerchantScope, customerId: string): Promise<void> {
  await sql`
    update checkouts set customer_id = null, store_customer_id = null, email_key = null, recovery_url = null
    where merchant_id = ${scope.merchantId} and customer_id = ${customerId}
  `.execute(scope.db)
  await sql`
    update carts set customer_id = null where merchant_id = ${scope.merchantId} and customer_id = ${customerId}
  `.execute(scope.db)
}

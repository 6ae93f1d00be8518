import { type RawBuilder, sql } from 'kysely'
import type { MerchantScope } from '../../../kernel/merchant-scope.ts'
import type { FindLeft, LeftBasket, TriggerRules } from '../trigger-kind.ts'

/** The form of the last change in keys. */
const changedAt = sql`to_char(k.store_updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
const isUnrecorded = (scope: MerchantScope, key: string): RawBuilder<boolean> => sql`not exists (
  select from events e where e.merchant_id = ${scope.merchantId} and e.key = ${key}::text || ':' || k.id || ':' || ${changedAt})`
/** Neither as the customer nor, without signing in, with the customer's address. */
const nothingBought = (scope: MerchantScope): RawBuilder<boolean> => sql`not exists (
  select from orders o where o.merchant_id = ${scope.merchantId} and o.customer_id = p.customer_id
    and o.processed_at >= k.store_updated_at and o.cancelled_at is null)
  and not exists (
    select from customers c join orders o on o.merchant_id = ${scope.merchantId} and o.customer_id is null and o.email_key = c.email_key
    where c.merchant_id = ${scope.merchantId} and c.id = p.customer_id and c.email_key is not null
      and o.processed_at >= k.store_updated_at and o.cancelled_at is null)`
const lines = sql`coalesce((
  select jsonb_agg(jsonb_build_object('store_product_id', l -> 'store_product_id', 'store_variant_id', l -> 'store_variant_id',
    'title', l ->> 'title', 'quantity', l -> 'quantity'))
  from jsonb_path_query(k.lines, '$[0 to 99]') as l), '[]')`

/**
 * Open carts last changed in that time, not empty, of customers who have not bought since and have no checkout event. `checkoutsToo`:
 * only carts without a begun checkout.
 */
const selectLeftCarts: FindLeft = async (scope, leaving, { checkoutsToo }) => {
  const { merchantId } = scope
  const { rows } = await sql<LeftBasket>`
    select k.id, p.customer_id, case when p.customer_id is null then k.guest_id end as guest_id, k.store_updated_at,
      jsonb_build_object('cart_id', k.id, 'lines', ${lines}) as subject
    from carts k cross join lateral (
      select coalesce(k.customer_id, (
        select g.customer_id from guests g where g.merchant_id = ${merchantId} and g.id = k.guest_id)) as customer_id
    ) p
    where k.merchant_id = ${merchantId} and k.converted_at is null and k.items_count > 0
      and k.store_updated_at > ${leaving.from} and k.store_updated_at <= ${leaving.to}
      and coalesce(p.customer_id, k.guest_id) is not null and ${nothingBought(scope)} and ${isUnrecorded(scope, leaving.key)}
      and not exists (
        select from checkouts h
        where h.merchant_id = ${merchantId} and h.cart_token = k.token and (${checkoutsToo}::boolean or exists (
          select from events e
          where e.merchant_id = ${merchantId} and e.customer_id = p.customer_id and e.kind = 'checkout_abandoned'
            and e.subject ->> 'checkout_id' = h.id::text)))
    order by k.store_updated_at limit ${leaving.limit}`.execute(scope.db)
  return rows
}

/** The same for checkouts. One without a customer belongs to the customer with its address. */
const selectLeftCheckouts: FindLeft = async (scope, leaving) => {
  const { merchantId } = scope
  const { rows } = await sql<LeftBasket>`
    select k.id, p.customer_id, case when p.customer_id is null then k.guest_id end as guest_id, k.store_updated_at,
      jsonb_strip_nulls(jsonb_build_object('checkout_id', k.id, 'amount', k.total_amount, 'currency', k.currency,
        'recovery_url', k.recovery_url)) || jsonb_build_object('lines', ${lines}) as subject
    from checkouts k cross join lateral (
      select coalesce(k.customer_id, (
          select g.customer_id from guests g where g.merchant_id = ${merchantId} and g.id = k.guest_id), (
          select c.id from customers c where c.merchant_id = ${merchantId} and c.email_key = k.email_key
          order by c.created_at, c.id limit 1)) as customer_id
    ) p
    where k.merchant_id = ${merchantId} and k.completed_at is null and jsonb_array_length(k.lines) > 0
      and k.store_updated_at > ${leaving.from} and k.store_updated_at <= ${leaving.to}
      and coalesce(p.customer_id, k.guest_id) is not null and ${nothingBought(scope)} and ${isUnrecorded(scope, leaving.key)}
    order by k.store_updated_at limit ${leaving.limit}`.execute(scope.db)
  return rows
}

const leftFor = (trigger: { after_minutes: number } | null): RawBuilder<unknown> =>
  sql`make_interval(mins => ${trigger?.after_minutes ?? 0}::int)`

export const cartAbandoned: TriggerRules<'cart_abandoned'> = {
  findLeft: selectLeftCarts,
  kept(merchantId, within, trigger) {
    const at = sql`k.store_updated_at + ${leftFor(trigger)}`
    return sql`select k.customer_id as id, ${at} as at from carts k
      where k.merchant_id = ${merchantId} and k.customer_id is not null and k.items_count > 0
        and (k.converted_at is null or k.converted_at > ${at}) and ${within(at)}`
  },
}

export const checkoutAbandoned: TriggerRules<'checkout_abandoned'> = {
  findLeft: selectLeftCheckouts,
  kept(merchantId, within, trigger) {
    const at = sql`k.store_updated_at + ${leftFor(trigger)}`
    return sql`select k.customer_id as id, ${at} as at from checkouts k
      where k.merchant_id = ${merchantId} and k.customer_id is not null
        and (k.completed_at is null or k.completed_at > ${at}) and ${within(at)}`
  },
}

import { type RawBuilder, sql } from 'kysely'
import type { MerchantScope } from '../../../kernel/merchant-scope.ts'
import type { FindAbandoned, AbandonedBasketSearch, AbandonedBasket, TriggerRules } from '../trigger-kind.ts'

/** The form of the last change in keys. */
const changedAt = sql`to_char(k.store_updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
export const isUnrecorded = (scope: MerchantScope, key: string): RawBuilder<boolean> => sql`not exists (
  select from events e where e.merchant_id = ${scope.merchantId} and e.key = ${key}::text || ':' || k.id || ':' || ${changedAt})`
/** Neither as the customer nor, without signing in, with the customer's address. */
export const nothingBought = (
  scope: MerchantScope,
  since: RawBuilder<unknown> = sql`k.store_updated_at`,
): RawBuilder<boolean> => sql`not exists (
  select from orders o where o.merchant_id = ${scope.merchantId} and o.customer_id = p.customer_id
    and o.processed_at >= ${since} and o.cancelled_at is null)
  and not exists (
    select from customers c join orders o on o.merchant_id = ${scope.merchantId} and o.customer_id is null and o.email_key = c.email_key
    where c.merchant_id = ${scope.merchantId} and c.id = p.customer_id and c.email_key is not null
      and o.processed_at >= ${since} and o.cancelled_at is null)`
const lines = sql`coalesce((
  select jsonb_agg(jsonb_build_object('store_product_id', l -> 'store_product_id', 'store_variant_id', l -> 'store_variant_id',
    'title', l ->> 'title', 'quantity', l -> 'quantity'))
  from jsonb_path_query(k.lines, '$[0 to 99]') as l), '[]')`

/**
 * Open carts last changed in that time, not empty, of customers who have not bought since and have no checkout event. `checkoutsToo`:
 * only carts without a begun checkout.
 */
const selectAbandonedCarts: FindAbandoned<unknown> = async (scope, search, { checkoutsToo }) => {
  const { merchantId } = scope
  const { rows } = await sql<AbandonedBasket>`
    select k.id, p.customer_id, case when p.customer_id is null then k.guest_id end as guest_id, k.store_updated_at,
      jsonb_build_object('cart_id', k.id, 'lines', ${lines}) as subject
    from carts k cross join lateral (
      select coalesce(k.customer_id, (
        select g.customer_id from guests g where g.merchant_id = ${merchantId} and g.id = k.guest_id)) as customer_id
    ) p
    where k.merchant_id = ${merchantId} and k.converted_at is null and k.items_count > 0
      and k.store_updated_at > ${search.from} and k.store_updated_at <= ${search.to}
      and coalesce(p.customer_id, k.guest_id) is not null and ${nothingBought(scope)} and ${isUnrecorded(scope, search.key)}
      and not exists (
        select from checkouts h
        where h.merchant_id = ${merchantId} and h.cart_token = k.token and (${checkoutsToo}::boolean or exists (
          select from events e
          where e.merchant_id = ${merchantId} and e.customer_id = p.customer_id and e.kind = 'checkout_abandoned'
            and e.subject ->> 'checkout_id' = h.id::text)))
    order by k.store_updated_at limit ${search.limit}`.execute(scope.db)
  const room = search.limit - rows.length
  return room === 0 ? rows : [...rows, ...(await selectSeenCarts(scope, { ...search, limit: room }))]
}

/** A page of the shop may have reported a customer's cart that the store does not give us, because no checkout was begun. */
async function selectSeenCarts(scope: MerchantScope, search: AbandonedBasketSearch): Promise<AbandonedBasket[]> {
  const { merchantId } = scope
  const { rows } = await sql<AbandonedBasket>`
    select k.id, p.customer_id, null as guest_id, k.store_updated_at, jsonb_build_object('lines', g.lines) as subject
    from (
      select x.customer_id as id, max(x.changed_at) as store_updated_at from cart_products x
      where x.merchant_id = ${merchantId} and x.changed_at > ${search.from} and x.changed_at <= ${search.to}
      group by x.customer_id
    ) k cross join lateral (select k.id as customer_id) p cross join lateral (
      select jsonb_agg(jsonb_build_object('store_product_id', x.store_product_id, 'store_variant_id', null, 'title', y.title,
        'quantity', x.quantity) order by x.changed_at desc, x.store_product_id) as lines
      from cart_products x join products y on y.merchant_id = ${merchantId} and y.store_product_id = x.store_product_id
      where x.merchant_id = ${merchantId} and x.customer_id = k.id and x.quantity > 0
    ) g
    where g.lines is not null
      and not exists (
        select from cart_products x
        where x.merchant_id = ${merchantId} and x.customer_id = k.id and x.changed_at > ${search.to})
      and not exists (select from carts c where ${ownSince(merchantId, 'c')} and c.converted_at is null and c.items_count > 0)
      and not exists (select from checkouts h where ${ownSince(merchantId, 'h')} and h.completed_at is null)
      and ${nothingBought(scope)} and ${isUnrecorded(scope, search.key)}
    order by k.store_updated_at limit ${search.limit}`.execute(scope.db)
  return rows
}
/** For the same person and about that time. */
const ownSince = (merchantId: string, alias: string): RawBuilder<boolean> => sql`
  ${sql.ref(`${alias}.merchant_id`)} = ${merchantId} and ${sql.ref(`${alias}.customer_id`)} = k.id
  and ${sql.ref(`${alias}.store_updated_at`)} > k.store_updated_at - make_interval(days => 1)`

/** The same for checkouts. One without a customer belongs to the customer with its address. */
const selectAbandonedCheckouts: FindAbandoned<unknown> = async (scope, search) => {
  const { merchantId } = scope
  const { rows } = await sql<AbandonedBasket>`
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
      and k.store_updated_at > ${search.from} and k.store_updated_at <= ${search.to}
      and coalesce(p.customer_id, k.guest_id) is not null and ${nothingBought(scope)} and ${isUnrecorded(scope, search.key)}
    order by k.store_updated_at limit ${search.limit}`.execute(scope.db)
  return rows
}

export const leftFor = (trigger: { after_minutes: number } | null): RawBuilder<unknown> =>
  sql`make_interval(mins => ${trigger?.after_minutes ?? 0}::int)`

export const cartAbandoned: TriggerRules<'cart_abandoned'> = {
  findAbandoned: selectAbandonedCarts,
  pastSql(merchantId, within, trigger) {
    const at = sql`k.store_updated_at + ${leftFor(trigger)}`
    return sql`select k.customer_id as id, ${at} as at from carts k
      where k.merchant_id = ${merchantId} and k.customer_id is not null and k.items_count > 0
        and (k.converted_at is null or k.converted_at > ${at}) and ${within(at)}
      union all
      select s.id, s.at from (
        select x.customer_id as id, max(x.changed_at) + ${leftFor(trigger)} as at from cart_products x
        where x.merchant_id = ${merchantId} and x.quantity > 0 group by x.customer_id
      ) s
      where ${within(sql`s.at`)} and not exists (
        select from carts c where c.merchant_id = ${merchantId} and c.customer_id = s.id and c.items_count > 0)`
  },
}

export const checkoutAbandoned: TriggerRules<'checkout_abandoned'> = {
  findAbandoned: selectAbandonedCheckouts,
  pastSql(merchantId, within, trigger) {
    const at = sql`k.store_updated_at + ${leftFor(trigger)}`
    return sql`select k.customer_id as id, ${at} as at from checkouts k
      where k.merchant_id = ${merchantId} and k.customer_id is not null
        and (k.completed_at is null or k.completed_at > ${at}) and ${within(at)}`
  },
}

import { type RawBuilder, sql } from 'kysely'
import type { MerchantScope } from '../../../kernel/merchant-scope.ts'
import type { TriggerOf } from '@okaeri/contract/scenarios/trigger'
import type { FindAbandoned, AbandonedBasket, TriggerRules } from '../trigger-kind.ts'
import { isUnrecorded, leftFor, nothingBought } from './baskets-sql.ts'
import { fallOf, isEnough, withChange } from './favorites-sql.ts'

/** What was looked at, put into the cart or bought so long before the last look belongs to the same browse. */
const BROWSE = sql`make_interval(days => 1)`
/** More products of one browse are not named in an event. */
const NAMED = 20

interface Browse {
  customer: RawBuilder<unknown>
  last: RawBuilder<unknown>
  /** Null: until now. */
  until: RawBuilder<unknown> | null
}

/** As far as the page or the store reported it. */
function noCartLeft(merchantId: string, { customer, last, until }: Browse): RawBuilder<boolean> {
  const inBrowse = (at: string) =>
    sql`${sql.ref(at)} > ${last} - ${BROWSE} ${until === null ? sql`` : sql`and ${sql.ref(at)} <= ${until}`}`
  const of = (table: string) =>
    sql`${sql.table(table)} x where x.merchant_id = ${merchantId} and x.customer_id = ${customer}`
  return sql`not exists (select from ${of('cart_products')} and x.quantity > 0 and ${inBrowse('x.changed_at')})
    and not exists (
      select from ${of('carts')} and x.converted_at is null and x.items_count > 0 and ${inBrowse('x.store_updated_at')})
    and not exists (select from ${of('checkouts')} and x.completed_at is null and ${inBrowse('x.store_updated_at')})`
}

const canBeBought = (leavesOutSoldOut: boolean): RawBuilder<boolean> =>
  sql`p.deleted_at is null and p.status = 'ACTIVE' ${
    leavesOutSoldOut ? sql`and (p.total_inventory is null or p.total_inventory > 0)` : sql``
  }`

/**
 * Customers whose last look was within that time, who ordered nothing since a day before it, and (if wanted) left no cart. With the products of
 * the browse, the last one first.
 */
const selectAbandonedBrowses: FindAbandoned<TriggerOf<'browse_abandoned'>> = async (scope, search, { trigger }) => {
  const { merchantId } = scope
  const browse: Browse = { customer: sql`k.id`, last: sql`k.store_updated_at`, until: null }
  const { rows } = await sql<AbandonedBasket>`
    select k.id, p.customer_id, null as guest_id, k.store_updated_at,
      jsonb_build_object('store_product_id', g.lines -> 0 -> 'store_product_id', 'lines', g.lines) as subject
    from (
      select w.customer_id as id, max(w.viewed_at) as store_updated_at from product_views w
      where w.merchant_id = ${merchantId} and w.viewed_at > ${search.from} and w.viewed_at <= ${search.to}
      group by w.customer_id
    ) k cross join lateral (select k.id as customer_id) p cross join lateral (
      select jsonb_agg(jsonb_build_object('store_product_id', s.number, 'store_variant_id', null, 'title', s.title, 'quantity', 1)
        order by s.viewed_at desc, s.number desc) as lines
      from (
        select w.store_product_id as number, p.title, w.viewed_at
        from product_views w join products p on p.merchant_id = ${merchantId} and p.store_product_id = w.store_product_id
        where w.merchant_id = ${merchantId} and w.customer_id = k.id and w.viewed_at > k.store_updated_at - ${BROWSE}
          and w.views >= ${trigger.least_looks} and ${canBeBought(trigger.leaves_out_sold_out)}
        order by w.viewed_at desc, w.store_product_id desc limit ${NAMED}
      ) s
    ) g
    where g.lines is not null
      and exists (
        select from customers c where c.merchant_id = ${merchantId} and c.id = k.id and c.marketing_state = 'granted')
      and not exists (
        select from product_views w where w.merchant_id = ${merchantId} and w.customer_id = k.id and w.viewed_at > ${search.to})
      and ${nothingBought(scope, sql`k.store_updated_at - ${BROWSE}`)}
      and ${trigger.unless_cart ? noCartLeft(merchantId, browse) : sql`true`}
      and ${isUnrecorded(scope, search.key)}
    order by k.store_updated_at limit ${search.limit}`.execute(scope.db)
  return rows
}

export const browseAbandoned: TriggerRules<'browse_abandoned'> = {
  findAbandoned: selectAbandonedBrowses,
  /** Only the last look at each product is known: browses without a product's last look are missing. */
  pastSql(merchantId, within, trigger) {
    const at = sql`w.viewed_at + ${leftFor(trigger)}`
    const browse: Browse = { customer: sql`w.customer_id`, last: sql`w.viewed_at`, until: at }
    return sql`select w.customer_id as id, ${at} as at
      from (
        select v.customer_id, v.viewed_at, v.views,
          lead(v.viewed_at) over (partition by v.customer_id order by v.viewed_at, v.store_product_id) as next_at
        from product_views v join products p on p.merchant_id = ${merchantId} and p.store_product_id = v.store_product_id
        where v.merchant_id = ${merchantId} and ${canBeBought(trigger?.leaves_out_sold_out ?? false)}
      ) w
      where w.views >= ${trigger?.least_looks ?? 1} and (w.next_at is null or w.next_at > ${at})
        and not exists (
          select from orders o where o.merchant_id = ${merchantId} and o.customer_id = w.customer_id and o.cancelled_at is null
            and o.processed_at >= w.viewed_at - ${BROWSE} and o.processed_at < ${at})
        and ${trigger?.unless_cart ? noCartLeft(merchantId, browse) : sql`true`} and ${within(at)}`
  },
}

export const viewedPriceDropped: TriggerRules<'viewed_price_dropped'> = {
  matches: ({ fall, within_days }, { changes }) =>
    (changes ?? []).some((change) => (change.days_since_view ?? 0) < within_days && (!fall || isEnough(change, fall))),
  pastSql: (merchantId, within, trigger) =>
    withChange(
      merchantId,
      'viewed_price_dropped',
      within,
      trigger && sql`coalesce(c.days_since_view, 0) < ${trigger.within_days} and ${fallOf(trigger.fall)}`,
    ),
}

export interface CustomerViewDays {
  customerId: string
  /** Their places in the list of products. */
  places: number[]
  /** Whole days since they looked at each of them. */
  days: number[]
}

/**
 * Customers after this one, in the order of their ids, who looked at any of these products since then and did not buy it afterwards.
 * `exceptFavorites`: what they marked as a favorite is left out.
 */
export async function selectWhoLookedAt(
  scope: MerchantScope,
  storeProductIds: readonly number[],
  given: { since: Date; exceptFavorites: boolean; after: string; limit: number },
): Promise<CustomerViewDays[]> {
  const { merchantId, now } = scope
  const { rows } = await sql<CustomerViewDays>`
    select w.customer_id as "customerId", array_agg((g.place - 1)::int order by g.place) as places,
      array_agg(greatest(0, floor(extract(epoch from ${now}::timestamptz - w.viewed_at) / 86400))::int order by g.place) as days
    from unnest(${storeProductIds}::bigint[]) with ordinality as g (product, place)
    join product_views w on w.store_product_id = g.product
    where w.merchant_id = ${merchantId} and w.viewed_at > ${given.since} and w.customer_id > ${given.after}
      and not exists (
        select from order_lines l join orders o on o.merchant_id = ${merchantId} and o.id = l.order_id
        where l.merchant_id = ${merchantId} and l.customer_id = w.customer_id and l.store_product_id = w.store_product_id
          and l.processed_at >= w.viewed_at and o.cancelled_at is null and o.deleted_at is null)
      and not (${given.exceptFavorites}::boolean and exists (
        select from favorites f where f.merchant_id = ${merchantId} and f.customer_id = w.customer_id
          and f.store_product_id = w.store_product_id and f.status = 'active'))
    group by w.customer_id order by w.customer_id limit ${given.limit}`.execute(scope.db)
  return rows
}

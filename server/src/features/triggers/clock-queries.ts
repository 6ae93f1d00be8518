import type { EventSubject } from '@okaeri/contract/scenarios/event'
import { type RawBuilder, sql } from 'kysely'
import type { MerchantScope, TransactionScope } from '../../kernel/merchant-scope.ts'

/** One process looks at the clock for a merchant at a time; false while another does. Until the transaction ends. */
export async function tryLookingAtClock(scope: TransactionScope): Promise<boolean> {
  const { rows } = await sql<{ mine: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${scope.merchantId}, 176)) as mine`.execute(scope.db)
  return rows[0]?.mine ?? false
}

export interface ClockRow {
  scenario_id: string
  /** Null: never looked at. */
  version: number | null
  looked_day: string | null
  looked_until: Date | null
  /** Since when this flow runs. */
  since: Date
}

/** Of the active scenarios. Until one is looked at first, it counts as looked at when it was enabled, or its flow saved after that. */
export async function selectClocks(scope: MerchantScope): Promise<Map<string, ClockRow>> {
  const { rows } = await sql<ClockRow>`
    select s.id as scenario_id, c.version, to_char(c.looked_day, 'YYYY-MM-DD') as looked_day,
      case when c.scenario_id is null then greatest(s.enabled_at, v.created_at) else c.looked_until end as looked_until,
      greatest(s.enabled_at, v.created_at) as since
    from scenarios s
    join scenario_versions v on v.merchant_id = s.merchant_id and v.scenario_id = s.id and v.number = s.version
    left join scenario_clocks c on c.merchant_id = s.merchant_id and c.scenario_id = s.id
    where s.merchant_id = ${scope.merchantId} and s.status = 'active'`.execute(scope.db)
  return new Map(rows.map((row) => [row.scenario_id, row]))
}

export async function upsertClock(
  scope: MerchantScope,
  clock: { scenarioId: string; version: number; lookedDay?: string; lookedUntil?: Date },
): Promise<void> {
  await sql`
    insert into scenario_clocks (merchant_id, scenario_id, version, looked_day, looked_until)
    values (${scope.merchantId}, ${clock.scenarioId}, ${clock.version}, ${clock.lookedDay ?? null}, ${clock.lookedUntil ?? null})
    on conflict (merchant_id, scenario_id) do update set version = excluded.version, looked_day = excluded.looked_day,
      looked_until = excluded.looked_until`.execute(scope.db)
}

/** `key`: what comes before the customer's id in the key of the event, `day` what comes after. Those told already are left out. */
interface Telling {
  key: string
  day: string
  limit: number
}

const untold = (scope: MerchantScope, { key, day }: Telling): RawBuilder<boolean> => sql`not exists (
  select from events e where e.merchant_id = ${scope.merchantId} and e.key = ${key}::text || ':' || c.id || ':' || ${day}::text)`

async function customersWhere(scope: MerchantScope, telling: Telling, source: RawBuilder<unknown>): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select c.id from ${source} and ${untold(scope, telling)} order by c.id limit ${telling.limit}`.execute(scope.db)
  return rows.map(({ id }) => id)
}

/** Born on one of these dates: there is one for each year people are born in, so that an index answers. */
export const selectBornOn = (scope: MerchantScope, dates: readonly string[], telling: Telling): Promise<string[]> =>
  customersWhere(
    scope,
    telling,
    sql`customers c where c.merchant_id = ${scope.merchantId} and c.birthday = any(${[...dates]}::date[])`,
  )

export const selectLastOrderedIn = (
  scope: MerchantScope,
  span: { from: Date; to: Date },
  telling: Telling,
): Promise<string[]> =>
  customersWhere(
    scope,
    telling,
    sql`customers c where c.merchant_id = ${scope.merchantId} and c.last_order_at >= ${span.from} and c.last_order_at < ${span.to}`,
  )

export const selectWithDateIn = (
  scope: MerchantScope,
  { settingId, spans }: { settingId: string; spans: readonly { from: Date; to: Date }[] },
  telling: Telling,
): Promise<string[]> =>
  customersWhere(
    scope,
    telling,
    sql`unnest(${spans.map(({ from }) => from)}::timestamptz[], ${spans.map(({ to }) => to)}::timestamptz[]) as span (from_at, to_at)
      cross join lateral (
        select m.customer_id from customer_metafields m
        where m.merchant_id = ${scope.merchantId} and m.metafield_setting_id = ${settingId}
          and m.value_at >= span.from_at and m.value_at < span.to_at
      ) m
      join customers c on c.merchant_id = ${scope.merchantId} and c.id = m.customer_id
      where true`,
  )

/** A metafield by its id or its `namespace.key`; null when there is none (any more). */
export async function findDateSetting(
  scope: MerchantScope,
  named: string,
): Promise<{ id: string; value_type: string } | null> {
  const { rows } = await sql<{ id: string; value_type: string }>`
    select id, value_type from metafield_settings
    where merchant_id = ${scope.merchantId} and deleted_at is null and (id::text = lower(${named}) or namespace || '.' || key = ${named})
    order by created_at limit 1`.execute(scope.db)
  return rows[0] ?? null
}

export interface LeftBasket {
  id: string
  customer_id: string | null
  guest_id: string | null
  store_updated_at: Date
  subject: EventSubject
}

/** `key`: what comes before the basket's id in the key of the event; its last change comes after. */
interface Leaving {
  key: string
  from: Date
  to: Date
  limit: number
}

/** The form in which the last change stands in keys. */
const changedAt = sql`to_char(k.store_updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
const isUntold = (scope: MerchantScope, key: string): RawBuilder<boolean> => sql`not exists (
  select from events e where e.merchant_id = ${scope.merchantId} and e.key = ${key}::text || ':' || k.id || ':' || ${changedAt})`
/** Neither as the customer nor, without signing in, under the customer's address. */
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
 * Open carts last changed in that time, with something in them, of somebody who has not bought since, and was not told of as a checkout.
 * `withoutCheckout`: only those whose checkout was not begun.
 */
export async function selectLeftCarts(
  scope: MerchantScope,
  leaving: Leaving,
  { withoutCheckout }: { withoutCheckout: boolean },
): Promise<LeftBasket[]> {
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
      and coalesce(p.customer_id, k.guest_id) is not null and ${nothingBought(scope)} and ${isUntold(scope, leaving.key)}
      and not exists (
        select from checkouts h
        where h.merchant_id = ${merchantId} and h.cart_token = k.token and (${withoutCheckout}::boolean or exists (
          select from events e
          where e.merchant_id = ${merchantId} and e.customer_id = p.customer_id and e.kind = 'checkout_abandoned'
            and e.subject ->> 'checkout_id' = h.id::text)))
    order by k.store_updated_at limit ${leaving.limit}`.execute(scope.db)
  return rows
}

/** The same of checkouts; one without a customer is that of the customer with its address. */
export async function selectLeftCheckouts(scope: MerchantScope, leaving: Leaving): Promise<LeftBasket[]> {
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
      and coalesce(p.customer_id, k.guest_id) is not null and ${nothingBought(scope)} and ${isUntold(scope, leaving.key)}
    order by k.store_updated_at limit ${leaving.limit}`.execute(scope.db)
  return rows
}

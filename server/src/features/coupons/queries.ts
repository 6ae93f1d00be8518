import type { CouponTerms } from '@okaeri/contract/coupons/coupon'
import { sql } from 'kysely'
import { newIds } from '../../kernel/ids.ts'
import type { MerchantScope, TransactionScope } from '../../kernel/merchant-scope.ts'

export interface DiscountRow {
  id: string
  terms: CouponTerms
  ends_at: Date
  last_day: string
  looked_at: Date | null
}

/** The discount of these terms and that last day; inserted if unknown. Nothing is requested from the platform yet. */
export async function findOrInsertDiscount(
  scope: MerchantScope,
  discount: {
    id: string
    termsKey: string
    terms: CouponTerms
    lastDay: string
    endsAt: Date
    /** One of a campaign's own, and what the store shows of it. */
    campaign?: { id: string; title: string }
  },
): Promise<DiscountRow> {
  const { merchantId, now } = scope
  const find = async (): Promise<DiscountRow | undefined> =>
    (
      await sql<DiscountRow>`select id, terms, ends_at, last_day::text as last_day, looked_at from discounts
        where merchant_id = ${merchantId} and terms_key = ${discount.termsKey} and last_day = ${discount.lastDay}::date`.execute(
        scope.db,
      )
    ).rows[0]
  const known = await find()
  if (known) return known
  await sql`insert into discounts (merchant_id, id, terms_key, terms, last_day, ends_at, campaign_id, title, created_at)
    values (${merchantId}, ${discount.id}, ${discount.termsKey}, ${JSON.stringify(discount.terms)}::jsonb, ${discount.lastDay}::date,
      ${discount.endsAt}, ${discount.campaign?.id ?? null}, ${discount.campaign?.title ?? null}, ${now})
    on conflict (merchant_id, terms_key, last_day) do nothing`.execute(scope.db)
  return (await find()) as DiscountRow
}

/** One visit of a node that issues. */
export interface Visit {
  executionId: string
  round: number
  customerId: string | null
}
export interface IssuedRow {
  id: string
  execution_id: string
  round: number
  code: string
  status: 'wanted' | 'made' | 'used' | 'failed'
  error: string | null
  discount_id: string
  ends_at: Date
}

/** `held`: they cannot be settled until the transaction ends. */
export async function selectIssued(
  scope: MerchantScope,
  nodeId: string,
  visits: readonly Pick<Visit, 'executionId' | 'round'>[],
  { held = false } = {},
): Promise<IssuedRow[]> {
  const { rows } = await sql<IssuedRow>`
    select c.id, c.execution_id, c.round, c.code, c.status, c.error, c.discount_id, d.ends_at
    from unnest(${visits.map(({ executionId }) => executionId)}::uuid[], ${visits.map(({ round }) => round)}::smallint[])
      as v (execution_id, round)
    join coupons c on c.merchant_id = ${scope.merchantId} and c.execution_id = v.execution_id and c.node_id = ${nodeId}
      and c.round = v.round
    join discounts d on d.merchant_id = ${scope.merchantId} and d.id = c.discount_id
    ${held ? sql`order by c.id for share of c` : sql``}`.execute(scope.db)
  return rows
}

interface Issue {
  discountId: string
  scenarioId: string
  nodeId: string
}

/** Gives codes from the pool to as many visits as possible; returns how many. Codes another worker is taking are skipped. */
export async function assignFromPool(scope: TransactionScope, issue: Issue, visits: readonly Visit[]): Promise<number> {
  const { merchantId, now } = scope
  const { numAffectedRows } = await sql`
    with free as materialized (
      select id from coupons where merchant_id = ${merchantId} and discount_id = ${issue.discountId} and status = 'made'
        and execution_id is null and campaign_id is null
      order by id limit ${visits.length} for update skip locked
    ), numbered as (
      select id, row_number() over (order by id) as n from free
    )
    update coupons c set execution_id = v.execution_id, round = v.round, customer_id = v.customer_id, node_id = ${issue.nodeId},
      scenario_id = ${issue.scenarioId}, issued_at = ${now}
    from numbered f join unnest(${visits.map(({ executionId }) => executionId)}::uuid[], ${visits.map(({ round }) => round)}::smallint[],
      ${visits.map(({ customerId }) => customerId)}::uuid[]) with ordinality as v (execution_id, round, customer_id, n) on v.n = f.n
    where c.merchant_id = ${merchantId} and c.id = f.id`.execute(scope.db)
  return Number(numAffectedRows ?? 0n)
}

/** Codes for the platform to make: for these visits, or (without any) for the pool. */
export async function insertWanted(
  scope: MerchantScope,
  discountId: string,
  codes: readonly string[],
  issue: (Issue & { visits: readonly Visit[] }) | null,
): Promise<void> {
  const { merchantId, now } = scope
  const visits = issue?.visits ?? []
  await sql`
    insert into coupons (merchant_id, id, discount_id, code, status, scenario_id, node_id, execution_id, round, customer_id, issued_at,
      created_at)
    select ${merchantId}, r.id, ${discountId}, r.code, 'wanted', ${issue?.scenarioId ?? null}::uuid, ${issue?.nodeId ?? null}::text,
      r.execution_id, r.round, r.customer_id, ${issue ? now : null}::timestamptz, ${now}
    from unnest(${newIds(codes.length)}::uuid[], ${[...codes]}::text[], ${codes.map((_, at) => visits[at]?.executionId ?? null)}::uuid[],
      ${codes.map((_, at) => visits[at]?.round ?? null)}::smallint[], ${codes.map((_, at) => visits[at]?.customerId ?? null)}::uuid[])
      as r (id, code, execution_id, round, customer_id)`.execute(scope.db)
}

/** A retry by a member or a repeated step. */
export async function requestAgain(scope: MerchantScope, ids: readonly string[]): Promise<void> {
  await sql`update coupons set status = 'wanted', error = null, bulk_id = null, flaw = null
    where merchant_id = ${scope.merchantId} and id = any(${[...ids]}::uuid[]) and status = 'failed'`.execute(scope.db)
}

/** Gives coupons that no longer work a new code; returns which they were. */
export async function requestWithCode(
  scope: MerchantScope,
  coupons: readonly { id: string; code: string }[],
): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    update coupons c set code = r.code, status = 'wanted', error = null, bulk_id = null, flaw = null
    from unnest(${coupons.map(({ id }) => id)}::uuid[], ${coupons.map(({ code }) => code)}::text[]) as r (id, code)
    where c.merchant_id = ${scope.merchantId} and c.id = r.id and (c.status = 'failed' or c.flaw is not null)
    returning c.id`.execute(scope.db)
  return new Set(rows.map(({ id }) => id))
}

/**
 * The discount has codes to make. One that waits for a retry keeps its time, unless a member requested it (`isRequested`). The row is always
 * locked until the new codes are committed: otherwise a worker that finds nothing to do meanwhile would clear the discount's time, and no
 * worker would come back to it.
 */
export async function markDiscountDue(
  scope: MerchantScope,
  discountId: string,
  { isRequested }: { isRequested: boolean },
): Promise<void> {
  const { merchantId, now } = scope
  await sql`update discounts set next_step_at = case when ${isRequested} or next_step_at is null then ${now} else next_step_at end,
      attempts = case when ${isRequested} or next_step_at is null then 0 else attempts end
    where merchant_id = ${merchantId} and id = ${discountId}`.execute(scope.db)
}

export async function markIssuedNow(scope: MerchantScope, discountId: string): Promise<void> {
  const { merchantId, now } = scope
  // At most once a minute, because every step that issues would write the row.
  await sql`update discounts set last_issued_at = ${now}
    where merchant_id = ${merchantId} and id = ${discountId}
      and (last_issued_at is null or last_issued_at < ${new Date(now.getTime() - 60_000)})`.execute(scope.db)
}

export interface ReadCoupon {
  id: string
  code: string
  status: 'wanted' | 'made' | 'used' | 'failed'
  terms: CouponTerms
  ends_at: Date
}
export async function selectCouponsByIds(scope: MerchantScope, ids: readonly string[]): Promise<ReadCoupon[]> {
  const { rows } = await sql<ReadCoupon>`
    select c.id, c.code, c.status, d.terms, d.ends_at
    from coupons c join discounts d on d.merchant_id = ${scope.merchantId} and d.id = c.discount_id
    where c.merchant_id = ${scope.merchantId} and c.id = any(${[...ids]}::uuid[])`.execute(scope.db)
  return rows
}

export interface UsedCoupon {
  id: string
  code: string
  customer_id: string | null
  /** Null: of a campaign. */
  execution_id: string | null
}
/** Letter case does not matter: people type codes. */
export async function markUsedByOrders(
  scope: MerchantScope,
  orderIds: readonly string[],
): Promise<(UsedCoupon & { store_order_id: number; order_name: string | null })[]> {
  const { merchantId, now } = scope
  const { rows } = await sql<UsedCoupon & { store_order_id: number; order_name: string | null }>`
    with ordered as (
      select o.id, o.store_order_id, o.name, (select array_agg(upper(code)) from unnest(o.discount_codes) as code) as codes
      from orders o where o.merchant_id = ${merchantId} and o.id = any(${[...orderIds]}::uuid[]) and o.discount_codes <> '{}'
    )
    update coupons c set status = 'used', used_at = ${now}, order_id = o.id from ordered o
    where c.merchant_id = ${merchantId} and c.code = any(o.codes) and c.status = 'made' and c.issued_at is not null
    returning c.id, c.code, c.customer_id, c.execution_id, o.store_order_id, o.name as order_name`.execute(scope.db)
  return rows
}

/** If the other one has a code of the same campaign too, that one stays and this one belongs to no customer. */
export async function moveCoupons(scope: MerchantScope, fromId: string, intoId: string | null): Promise<void> {
  const { merchantId } = scope
  if (intoId !== null)
    await sql`update coupons c set customer_id = ${intoId}
      where c.merchant_id = ${merchantId} and c.customer_id = ${fromId} and not exists (
        select from coupons k where k.merchant_id = ${merchantId} and k.campaign_id = c.campaign_id and k.customer_id = ${intoId})`.execute(
      scope.db,
    )
  await sql`update coupons set customer_id = null
    where merchant_id = ${merchantId} and customer_id = ${fromId}`.execute(scope.db)
}

import type { CouponTerms } from '@okaeri/contract/coupons/coupon'
import { type RawBuilder, sql } from 'kysely'
import { inAnHour } from '../../kernel/work/due-merchants.ts'
import { isFree, leaseEnd } from '../../kernel/work/leases.ts'
import type { MerchantScope, TransactionScope } from '../../kernel/merchant-scope.ts'

export interface ClaimedDiscount {
  id: string
  terms: CouponTerms
  ends_at: Date
  campaign_id: string | null
  /** For a campaign's discount: the name the store shows. */
  title: string | null
  created_at: Date
  store_discount_id: string | null
  bulk_id: string | null
  /** Since when the store has been making what is asked for under `bulk_id`. */
  bulk_asked_at: Date | null
  looked_at: Date | null
  /** How often the store reported a change of it. */
  times_told: number
  attempts: number
  next_step_at: Date
  lease_expires_at: Date
}

/** Claims one due discount for this long. If the worker dies, another one claims it after that. */
export async function claimDueDiscount(scope: MerchantScope, leaseMs: number): Promise<ClaimedDiscount | null> {
  const { rows } = await sql<ClaimedDiscount>`
    with due as materialized (
      select id from discounts where merchant_id = ${scope.merchantId}
        and (next_step_at <= ${scope.now} or next_step_at > ${inAnHour(scope.now)}) and ${isFree}
      order by next_step_at limit 1 for update skip locked
    )
    update discounts d set lease_expires_at = ${leaseEnd(leaseMs)} from due
    where d.merchant_id = ${scope.merchantId} and d.id = due.id
    returning d.id, d.terms, d.ends_at, d.campaign_id, d.title, d.created_at, d.store_discount_id, d.bulk_id, d.bulk_asked_at, d.looked_at, d.times_told,
      d.attempts, d.next_step_at, d.lease_expires_at`.execute(scope.db)
  return rows[0] ?? null
}

/** Codes to be made, first those an execution waits for; with `bulkId`, those requested from the platform under that number. */
export async function selectWanted(
  scope: MerchantScope,
  { id: discountId, campaign_id }: Pick<ClaimedDiscount, 'id' | 'campaign_id'>,
  { bulkId, limit }: { bulkId: string | null; limit: number },
): Promise<{ id: string; code: string }[]> {
  // All of a campaign's are waited for: they are read as the index has them.
  const first = campaign_id === null ? sql`(execution_id is null),` : sql``
  const { rows } = await sql<{ id: string; code: string }>`
    select id, code from coupons where merchant_id = ${scope.merchantId} and discount_id = ${discountId} and status = 'wanted'
      and (${bulkId}::text is null or bulk_id = ${bulkId})
    order by ${first} id limit ${limit}`.execute(scope.db)
  return rows
}

export interface ClaimState {
  next_step_at: Date
  /** None of its codes is sent until it was checked. */
  in_doubt: boolean
  /** The store reported a change since it was claimed. */
  is_doubted_again: boolean
}
/** When its next step is due; null if this worker no longer holds it. The row is locked until the transaction ends. */
export async function stillHeld(scope: TransactionScope, discount: ClaimedDiscount): Promise<ClaimState | null> {
  const { rows } = await sql<ClaimState>`
    select next_step_at, in_doubt, times_told > ${discount.times_told} as is_doubted_again from discounts where merchant_id = ${scope.merchantId} and id = ${discount.id}
    and lease_expires_at = ${discount.lease_expires_at} for update`.execute(scope.db)
  return rows[0] ?? null
}

export interface DiscountChange {
  store_discount_id?: string | null
  bulk_id?: string | null
  bulk_asked_at?: Date | null
  looked_at?: Date | null
  in_doubt?: boolean
  /** What was found wrong with it in the store, and how many codes that were given out it took with it. */
  flaw?: string
  flaw_at?: Date
  flaw_codes?: number
  attempts: number
  next_step_at: Date | null
  error: string | null
  failed_at: Date | null
}
export async function updateDiscount(scope: MerchantScope, id: string, change: DiscountChange): Promise<void> {
  await scope.db
    .updateTable('discounts')
    .set({ ...change, lease_expires_at: null })
    .where('merchant_id', '=', scope.merchantId)
    .where('id', '=', id)
    .execute()
}

export async function hasWanted(scope: MerchantScope, discountId: string): Promise<boolean> {
  const { rows } = await sql`select from coupons where merchant_id = ${scope.merchantId} and discount_id = ${discountId}
    and status = 'wanted' limit 1`.execute(scope.db)
  return rows.length > 0
}

/**
 * Between the first id and the last, of a discount's codes in one state. The index has just that, so a planner that knows nothing yet of a campaign's
 * new rows still takes it; by the ids alone it read the whole campaign for each 250.
 */
function wantedAmong({ merchantId }: MerchantScope, discountId: string, ids: readonly string[]): RawBuilder<boolean> {
  const sorted = [...ids].sort()
  return sql`c.merchant_id = ${merchantId} and c.discount_id = ${discountId} and c.status = 'wanted'
    and c.id between ${sorted[0]}::uuid and ${sorted.at(-1)}::uuid`
}

export async function markAsked(
  scope: MerchantScope,
  discountId: string,
  { ids, bulkId }: { ids: readonly string[]; bulkId: string },
): Promise<void> {
  // Joined: looked up one by one in an index, they would seem dearer to the planner than the merchant's few rows.
  await sql`update coupons c set bulk_id = ${bulkId} from unnest(${[...ids]}::uuid[]) as r (id)
    where ${wantedAmong(scope, discountId, ids)} and c.id = r.id`.execute(scope.db)
}

/** Codes of the pool that could not be made are deleted: no execution waits for them. */
export async function deleteUnissued(scope: MerchantScope, discountId: string): Promise<void> {
  await sql`delete from coupons where merchant_id = ${scope.merchantId} and discount_id = ${discountId} and status = 'wanted'
    and issued_at is null`.execute(scope.db)
}

export interface SettledVisit {
  execution_id: string
  node_id: string
  round: number
}
/** A code of a campaign's recipient that was made. */
export interface MadeForRecipient {
  campaign_id: string
  customer_id: string
  code: string
}
/** Stores the results of wanted codes of a discount; returns the visits and the recipients they belong to. A code without an error is made. */
export async function settleCodes(
  scope: MerchantScope,
  discountId: string,
  settled: readonly { id: string; error: string | null }[],
): Promise<{ visits: SettledVisit[]; made: MadeForRecipient[] }> {
  type Row = SettledVisit & MadeForRecipient & { status: 'made' | 'failed' }
  const { rows } = await sql<{ [Name in keyof Row]: Row[Name] | null }>`
    update coupons c set status = case when r.error is null then 'made' else 'failed' end, error = r.error
    from unnest(${settled.map(({ id }) => id)}::uuid[], ${settled.map(({ error }) => error)}::text[]) as r (id, error)
    where ${wantedAmong(
      scope,
      discountId,
      settled.map(({ id }) => id),
    )} and c.id = r.id
    returning c.execution_id, c.node_id, c.round, c.campaign_id, c.customer_id, c.code, c.status`.execute(scope.db)
  return {
    visits: rows.filter(({ execution_id }) => execution_id !== null) as SettledVisit[],
    // If the customer was deleted meanwhile, they get none.
    made: rows.filter(
      ({ campaign_id, customer_id, status }) => campaign_id !== null && customer_id !== null && status === 'made',
    ) as MadeForRecipient[],
  }
}

/** Marks all wanted codes of a discount as failed. */
export async function failWanted(scope: MerchantScope, discountId: string, error: string): Promise<SettledVisit[]> {
  const { rows } = await sql<SettledVisit & { execution_id: string | null }>`
    update coupons set status = 'failed', error = ${error}
    where merchant_id = ${scope.merchantId} and discount_id = ${discountId} and status = 'wanted' and issued_at is not null
    returning execution_id, node_id, round`.execute(scope.db)
  return rows.filter(({ execution_id }) => execution_id !== null)
}

/** Some of the codes that are made and not used, the newest first. */
export async function findMadeCodes(scope: MerchantScope, discountId: string, limit: number): Promise<string[]> {
  const { rows } = await sql<{ code: string }>`select code from coupons where merchant_id = ${scope.merchantId}
    and discount_id = ${discountId} and status = 'made' order by id desc limit ${limit}`.execute(scope.db)
  return rows.map(({ code }) => code)
}

/** Codes that were made, and no longer hold. The store was asked for them: they stay known, also of a campaign that is cancelled. */
export async function failMade(scope: MerchantScope, discountId: string, error: string): Promise<void> {
  await sql`update coupons set status = 'failed', error = ${error}, bulk_id = coalesce(bulk_id, 'made with the discount')
    where merchant_id = ${scope.merchantId} and discount_id = ${discountId} and status = 'made'`.execute(scope.db)
}

/** The store has the codes of a campaign no longer: they are made again, the same ones. */
export async function requestMadeAgain(scope: MerchantScope, discountId: string): Promise<void> {
  await sql`update coupons set status = 'wanted', bulk_id = null
    where merchant_id = ${scope.merchantId} and discount_id = ${discountId} and status = 'made'`.execute(scope.db)
}

/** Codes issued from a discount that has changed: no one else is sent them. */
export async function markFlawed(scope: MerchantScope, discountId: string, flaw: string): Promise<void> {
  await sql`update coupons set flaw = ${flaw} where merchant_id = ${scope.merchantId} and discount_id = ${discountId}
    and status = 'made' and issued_at is not null and flaw is null`.execute(scope.db)
}

/** Codes given to people that the store no longer takes. Returns how many. */
export async function failGiven(scope: MerchantScope, discountId: string, error: string): Promise<number> {
  const { numAffectedRows } = await sql`update coupons set status = 'failed', error = ${error}
    where merchant_id = ${scope.merchantId} and discount_id = ${discountId} and status = 'made' and issued_at is not null`.execute(
    scope.db,
  )
  return Number(numAffectedRows ?? 0n)
}

/** Discounts of scenarios whose codes people have, or will get, that the store was not asked about lately become due. Returns whether any did. */
export async function markDueForLook(
  scope: MerchantScope,
  { lookedBefore, limit }: { lookedBefore: Date; limit: number },
): Promise<boolean> {
  const { merchantId, now } = scope
  const { numAffectedRows } = await sql`
    with stale as materialized (
      select id from discounts where merchant_id = ${merchantId} and campaign_id is null and store_discount_id is not null
        and next_step_at is null and ends_at > ${now} and (looked_at is null or looked_at < ${lookedBefore} or looked_at > ${now})
      order by looked_at nulls first limit ${limit} for update skip locked
    )
    update discounts d set next_step_at = ${now} from stale s where d.merchant_id = ${merchantId} and d.id = s.id`.execute(
    scope.db,
  )
  return (numAffectedRows ?? 0n) > 0n
}

/** Codes of the pool that the store has no longer. */
export async function deleteFree(scope: MerchantScope, discountId: string): Promise<void> {
  await sql`delete from coupons where merchant_id = ${scope.merchantId} and discount_id = ${discountId} and status = 'made'
    and issued_at is null`.execute(scope.db)
}

/** Deletes pool codes that were not issued on their day: no customer knows them, and they expire on the platform with their discount. */
export async function deleteLapsed(scope: MerchantScope, createdBefore: Date): Promise<void> {
  await sql`delete from coupons c using discounts d
    where d.merchant_id = ${scope.merchantId} and d.created_at < ${createdBefore} and c.merchant_id = ${scope.merchantId}
      and c.discount_id = d.id and c.issued_at is null and c.status = 'made'`.execute(scope.db)
}

export interface TermsInUse {
  terms: CouponTerms
  /** The most codes issued of one of these discounts lately. */
  most_issued: number
}
/** Terms with coupons issued since that time, and accepted by the platform. */
export async function selectTermsInUse(scope: MerchantScope, since: Date): Promise<TermsInUse[]> {
  const { rows } = await sql<TermsInUse>`
    select (array_agg(d.terms order by d.last_day desc))[1] as terms, max(n.issued)::int as most_issued
    from discounts d cross join lateral (
      select count(*) as issued from coupons c where c.merchant_id = ${scope.merchantId} and c.discount_id = d.id
        and c.execution_id is not null
    ) n
    where d.merchant_id = ${scope.merchantId} and d.last_issued_at >= ${since}
    group by d.terms_key
    having bool_and(d.error is null)`.execute(scope.db)
  return rows
}

export async function countPool(
  scope: MerchantScope,
  discountId: string,
): Promise<{ free: number; issued: number; failing: boolean }> {
  const { rows } = await sql<{ free: number; issued: number; failing: boolean }>`
    select count(*) filter (where c.issued_at is null and c.status in ('made', 'wanted'))::int as free,
      count(*) filter (where c.issued_at is not null)::int as issued,
      (select d.error is not null or d.attempts > 0 from discounts d where d.merchant_id = ${scope.merchantId} and d.id = ${discountId})
        as failing
    from coupons c where c.merchant_id = ${scope.merchantId} and c.discount_id = ${discountId}`.execute(scope.db)
  return rows[0] ?? { free: 0, issued: 0, failing: false }
}

import { sql } from 'kysely'
import { newIds } from '../../kernel/ids.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { isSlow } from './trouble-queries.ts'

// Codes of the recipients of a campaign, one each.

/** A recipient who has a code, or whose code is taken, gets no row. Returns who has one now. */
export async function insertForRecipients(
  scope: MerchantScope,
  { campaignId, discountId }: { campaignId: string; discountId: string },
  codes: readonly { customerId: string; code: string }[],
): Promise<Set<string>> {
  const { merchantId, now } = scope
  const customerIds = codes.map(({ customerId }) => customerId)
  await sql`
    insert into coupons (merchant_id, id, discount_id, code, status, campaign_id, customer_id, issued_at, created_at)
    select ${merchantId}, r.id, ${discountId}, r.code, 'wanted', ${campaignId}, r.customer_id, ${now}, ${now}
    from unnest(${newIds(codes.length)}::uuid[], ${codes.map(({ code }) => code)}::text[], ${customerIds}::uuid[])
      as r (id, code, customer_id)
    on conflict do nothing`.execute(scope.db)
  const { rows } = await sql<{ customer_id: string }>`
    select customer_id from coupons
    where merchant_id = ${merchantId} and campaign_id = ${campaignId} and customer_id = any(${customerIds}::uuid[])`.execute(
    scope.db,
  )
  return new Set(rows.map(({ customer_id }) => customer_id))
}

export async function selectMadeFor(
  scope: MerchantScope,
  campaignId: string,
  customerIds: readonly string[],
): Promise<{ customer_id: string; code: string }[]> {
  const { rows } = await sql<{ customer_id: string; code: string }>`
    select customer_id, code from coupons
    where merchant_id = ${scope.merchantId} and campaign_id = ${campaignId} and customer_id = any(${[...customerIds]}::uuid[])
      and status in ('made', 'used')`.execute(scope.db)
  return rows
}

/** Whether a code of the campaign is in that state. */
export async function hasOfCampaign(
  scope: MerchantScope,
  campaignId: string,
  status: 'wanted' | 'failed',
): Promise<boolean> {
  const { rows } = await sql`select from coupons where merchant_id = ${scope.merchantId} and campaign_id = ${campaignId}
    and status = ${status} limit 1`.execute(scope.db)
  return rows.length > 0
}

/** When the store last said that its codes hold, and whether it is to be asked again. Locked: what it tells of them meanwhile comes after us. */
export async function findLook(
  scope: MerchantScope,
  discountId: string,
): Promise<{ looked_at: Date | null; is_due: boolean } | null> {
  const { rows } = await sql<{ looked_at: Date | null; is_due: boolean }>`
    select case when not in_doubt then looked_at end as looked_at, next_step_at is not null as is_due from discounts
    where merchant_id = ${scope.merchantId} and id = ${discountId} for update`.execute(scope.db)
  return rows[0] ?? null
}

/** Due from then on. Locked, so that no worker that finds nothing to do clears its time meanwhile. */
export async function markDueFrom(scope: MerchantScope, discountId: string, from: Date): Promise<void> {
  await sql`update discounts set next_step_at = least(next_step_at, ${from}::timestamptz)
    where merchant_id = ${scope.merchantId} and id = ${discountId}`.execute(scope.db)
}

/** Those the store was not asked for; with `all`, whatever is known of the campaign's. */
export async function deleteOfCampaign(
  scope: MerchantScope,
  campaignId: string,
  { all }: { all: boolean },
): Promise<void> {
  const { merchantId } = scope
  // In the order of those who make them: first the discount.
  await sql`update discounts set next_step_at = null
    where merchant_id = ${merchantId} and campaign_id = ${campaignId} and bulk_id is null`.execute(scope.db)
  await sql`delete from coupons where merchant_id = ${merchantId} and campaign_id = ${campaignId}
    and (${all}::boolean or (status in ('wanted', 'failed') and bulk_id is null))`.execute(scope.db)
}

/** Returns how many of the campaign's codes failed, and are wanted again now. */
export async function requestFailedAgain(scope: MerchantScope, campaignId: string): Promise<number> {
  const { rows } = await sql`update coupons set status = 'wanted', error = null, bulk_id = null
    where merchant_id = ${scope.merchantId} and campaign_id = ${campaignId} and status = 'failed' returning 1`.execute(
    scope.db,
  )
  return rows.length
}

export interface CampaignSums {
  total: number
  made: number
  used: number
  failed: number
  revenue: number
  error: string | null
  next_try_at: Date | null
  slow_since: Date | null
  next_look_at: Date | null
}
/** Counts one campaign's codes, with what was bought with them, without cancelled orders. */
export async function sumUpCampaign(
  scope: MerchantScope,
  campaignId: string,
  discountId: string,
): Promise<CampaignSums | null> {
  const { merchantId } = scope
  const { rows } = await sql<CampaignSums>`
    select n.total, n.made, n.used, n.failed, n.revenue,
      coalesce(d.error, (select c.error from coupons c where c.merchant_id = ${merchantId} and c.campaign_id = ${campaignId}
        and c.status = 'failed' and c.error is not null limit 1)) as error,
      case when d.attempts > 0 then d.next_step_at end as next_try_at,
      case when ${isSlow(scope)} then d.bulk_asked_at end as slow_since, case when ${isSlow(scope)} then d.next_step_at end as next_look_at
    from discounts d cross join (
      select count(*)::int as total, count(*) filter (where c.status in ('made', 'used'))::int as made,
        count(*) filter (where c.status = 'used')::int as used, count(*) filter (where c.status = 'failed')::int as failed,
        coalesce(sum(o.current_amount) filter (where o.cancelled_at is null and o.deleted_at is null), 0)::bigint as revenue
      from coupons c left join orders o on o.merchant_id = ${merchantId} and o.id = c.order_id
      where c.merchant_id = ${merchantId} and c.campaign_id = ${campaignId}
    ) n
    where d.merchant_id = ${merchantId} and d.id = ${discountId}`.execute(scope.db)
  return rows[0] ?? null
}

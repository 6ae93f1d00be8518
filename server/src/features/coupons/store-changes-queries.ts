import type { CouponFlaw } from '@okaeri/contract/coupons/flaw'
import { sql } from 'kysely'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'

/** The platform tells of every use of a code, too: no discount is looked at for that more often. */
const LOOKS_APART_MS = 10_000

/** It is looked at next. Returns whose it is; null where it is none of ours. */
export async function recordStoreReport(
  scope: MerchantScope,
  storeDiscountId: string,
  { holds }: { holds: boolean },
): Promise<{ id: string; campaign_id: string | null } | null> {
  const { merchantId, now } = scope
  const lookedSince = new Date(now.getTime() - LOOKS_APART_MS)
  const { rows } = await sql<{ id: string; campaign_id: string | null }>`
    with reported as materialized (
      select id, in_doubt or not ${holds}::boolean as is_in_doubt,
        coalesce(next_step_at, case when ${holds}::boolean and looked_at between ${lookedSince} and ${now}
          then ${new Date(now.getTime() + LOOKS_APART_MS)}::timestamptz else ${now}::timestamptz end) as looks_at
      from discounts where merchant_id = ${merchantId} and store_discount_id = ${storeDiscountId} for update
    )
    update discounts d set times_told = d.times_told + 1, in_doubt = t.is_in_doubt, next_step_at = t.looks_at
    from reported t where d.merchant_id = ${merchantId} and d.id = t.id
    returning d.id, d.campaign_id`.execute(scope.db)
  return rows[0] ?? null
}

/** A single code was deleted in the store. One of the pool belongs to no customer. */
export async function failCode(scope: MerchantScope, discountId: string, code: string): Promise<void> {
  const flaw: CouponFlaw = 'code_gone'
  const its = sql`merchant_id = ${scope.merchantId} and discount_id = ${discountId} and code = ${code.toUpperCase()} and status = 'made'`
  await sql`delete from coupons where ${its} and issued_at is null`.execute(scope.db)
  const failed =
    await sql`update coupons set status = 'failed', error = ${flaw}, bulk_id = coalesce(bulk_id, 'made with the discount')
    where ${its} returning 1`.execute(scope.db)
  if (failed.rows.length > 0)
    await sql`update discounts set flaw = ${flaw}, flaw_at = ${scope.now}, flaw_codes = 1
      where merchant_id = ${scope.merchantId} and id = ${discountId} and campaign_id is null`.execute(scope.db)
}

/** Those of these codes that do not work as far as is known: deleted in the store, or their discount was or may have been changed there. */
export async function selectFailing(scope: MerchantScope, codes: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ code: string }>`
    select c.code from coupons c join discounts d on d.merchant_id = ${scope.merchantId} and d.id = c.discount_id
    where c.merchant_id = ${scope.merchantId} and c.code = any(${[...codes]}::text[])
      and (c.status in ('wanted', 'failed') or c.flaw is not null or d.in_doubt)`.execute(scope.db)
  return rows.map(({ code }) => code)
}

import type { CouponTerms } from '@okaeri/contract/coupons/coupon'
import type { CouponTrouble } from '@okaeri/contract/coupons/routes'
import { type RawBuilder, sql } from 'kysely'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'

/** A store that has not made some codes after so long is slow. */
const SLOW_MS = 5 * 60_000
/** What was found changed is shown for so long. */
const SHOWN_MS = 7 * 86_400_000

/** Of a row of discounts. */
export const isSlow = ({ now }: MerchantScope): RawBuilder<boolean> =>
  sql`bulk_id is not null and bulk_asked_at < ${new Date(now.getTime() - SLOW_MS)}`

interface TroubleRow {
  terms: CouponTerms
  campaign_id: string | null
  bulk_asked_at: Date | null
  next_step_at: Date | null
  flaw: string | null
  flaw_at: Date | null
  flaw_codes: number | null
  waiting: number
}

/** What is wrong with discounts in the store; of one scenario or campaign, or of all. No message waits for codes of the pool. */
export async function listCouponTroubles(
  scope: MerchantScope,
  of: { scenarioId?: string | undefined; campaignId?: string | undefined },
): Promise<CouponTrouble[]> {
  const { merchantId, now } = scope
  const shownSince = new Date(now.getTime() - SHOWN_MS)
  const { rows } = await sql<TroubleRow>`
    select d.terms, d.campaign_id, d.next_step_at, case when d.is_slow then d.bulk_asked_at end as bulk_asked_at, d.flaw, d.flaw_at, d.flaw_codes,
      case when d.is_slow then (select count(*)::int from coupons c where c.merchant_id = ${merchantId} and c.discount_id = d.id
        and c.status = 'wanted' and c.issued_at is not null) else 0 end as waiting
    from (select *, coalesce(${isSlow(scope)}, false) as is_slow from discounts where merchant_id = ${merchantId}) d
    where (d.is_slow or d.flaw_at > ${shownSince})
      and (${of.campaignId ?? null}::uuid is null or d.campaign_id = ${of.campaignId ?? null})
      and (${of.scenarioId ?? null}::uuid is null or exists (select from coupons c where c.merchant_id = ${merchantId} and c.discount_id = d.id
        and c.scenario_id = ${of.scenarioId ?? null}))
    order by d.flaw_at desc nulls last, d.id`.execute(scope.db)
  return rows.flatMap(({ terms, campaign_id, bulk_asked_at, next_step_at, flaw, flaw_at, flaw_codes, waiting }) => {
    const troubles: CouponTrouble[] = []
    const about = { terms, campaign_id }
    if (bulk_asked_at && waiting > 0)
      troubles.push({
        ...about,
        kind: 'waiting',
        since: bulk_asked_at.toISOString(),
        next_look_at: next_step_at?.toISOString() ?? null,
        flaw: null,
        codes: waiting,
      })
    if (flaw && flaw_at && flaw_at > shownSince)
      troubles.push({
        ...about,
        kind: 'changed',
        since: flaw_at.toISOString(),
        next_look_at: null,
        flaw,
        codes: flaw_codes ?? 0,
      })
    return troubles
  })
}

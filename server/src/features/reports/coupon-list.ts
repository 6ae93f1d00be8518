import type { Coupon, CouponTotals, CouponTrouble } from '@okaeri/contract/coupons/routes'
import type { Page } from '@okaeri/contract/paging'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { listCouponTroubles } from '../coupons/index.ts'
import { getMerchant } from '../merchants/index.ts'
import { selectCoupons } from './coupon-queries.ts'

export async function listCoupons(
  scope: MerchantScope,
  query: Parameters<typeof selectCoupons>[1],
): Promise<Page<Coupon> & { totals: CouponTotals; troubles: CouponTrouble[] }> {
  const { currency } = await getMerchant(scope)
  const { rows, total, issued, used, revenue } = await selectCoupons(scope, query)
  const data = rows.map((row) => ({
    id: row.id,
    code: row.code,
    status: row.status,
    terms: row.terms,
    customer_id: row.customer_id,
    customer_name: row.customer_name,
    scenario_id: row.scenario_id,
    scenario_name: row.scenario_name,
    campaign_id: row.campaign_id,
    campaign_name: row.campaign_name,
    execution_id: row.execution_id,
    error: row.error,
    expires_at: row.ends_at.toISOString(),
    used_at: row.used_at?.toISOString() ?? null,
    order:
      row.order_name !== null && row.order_amount !== null
        ? {
            name: row.order_name,
            amount: { amount: row.order_amount, currency: row.order_currency ?? currency },
            cancelled: row.order_cancelled,
          }
        : null,
    created_at: row.issued_at.toISOString(),
  }))
  const totals = { issued, used, revenue: { amount: revenue, currency } }
  // A person's page is not about the store.
  const troubles = query.customer_id
    ? []
    : await listCouponTroubles(scope, { scenarioId: query.action_id, campaignId: query.campaign_id })
  return { data, limit: query.limit, offset: query.offset, total, totals, troubles }
}

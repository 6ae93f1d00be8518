import type { CouponStatus, CouponTerms } from '@okaeri/contract/coupons/coupon'
import { sql } from 'kysely'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'

export interface CouponRow {
  id: string
  code: string
  status: CouponStatus
  terms: CouponTerms
  customer_id: string | null
  customer_name: string | null
  scenario_id: string | null
  scenario_name: string | null
  campaign_id: string | null
  campaign_name: string | null
  execution_id: string | null
  order_name: string | null
  order_amount: number | null
  order_currency: string | null
  order_cancelled: boolean
  error: string | null
  ends_at: Date
  used_at: Date | null
  issued_at: Date
}

/**
 * Issued ones, newest first, and the sums over all of them. Past its last day and not used, a code has expired: nothing need be written for
 * that. Names are looked up for the page's rows only.
 */
export async function selectCoupons(
  scope: MerchantScope,
  query: {
    action_id?: string | undefined
    campaign_id?: string | undefined
    customer_id?: string | undefined
    status?: CouponStatus | undefined
    q?: string | undefined
    limit: number
    offset: number
  },
): Promise<{ rows: CouponRow[]; total: number; issued: number; used: number; revenue: number }> {
  const { merchantId, now } = scope
  const status = sql`case when c.status = 'made' and d.ends_at <= ${now} then 'expired' else c.status end`
  const hasStatus = sql`(${query.status ?? null}::text is null or ${status} = ${query.status ?? null})`
  const wanted = query.q
    ? `${query.q
        .trim()
        .toUpperCase()
        .replace(/[\\%_]/g, '\\$&')}%`
    : null
  const from = sql`from coupons c join discounts d on d.merchant_id = ${merchantId} and d.id = c.discount_id
    where c.merchant_id = ${merchantId} and c.issued_at is not null
      and (${query.action_id ?? null}::uuid is null or c.scenario_id = ${query.action_id ?? null})
      and (${query.campaign_id ?? null}::uuid is null or c.campaign_id = ${query.campaign_id ?? null})
      and (${query.customer_id ?? null}::uuid is null or c.customer_id = ${query.customer_id ?? null})
      and (${wanted}::text is null or c.code like ${wanted})`
  const [page, count] = await Promise.all([
    sql<CouponRow>`
      select c.*, p.display_name as customer_name, s.name as scenario_name, k.name as campaign_name, o.name as order_name, o.current_amount as order_amount,
        o.currency as order_currency, coalesce(o.cancelled_at, o.deleted_at) is not null as order_cancelled
      from (
        select c.id, c.code, ${status} as status, d.terms, c.customer_id, c.scenario_id, c.campaign_id, c.execution_id, c.order_id, c.error, d.ends_at,
          c.used_at, c.issued_at
        ${from} and ${hasStatus} order by c.issued_at desc, c.id desc limit ${query.limit} offset ${query.offset}
      ) c
      left join customers p on p.merchant_id = ${merchantId} and p.id = c.customer_id
      left join scenarios s on s.merchant_id = ${merchantId} and s.id = c.scenario_id
      left join campaigns k on k.merchant_id = ${merchantId} and k.id = c.campaign_id and k.status <> 'deleted'
      left join orders o on o.merchant_id = ${merchantId} and o.id = c.order_id
      order by c.issued_at desc, c.id desc`.execute(scope.db),
    sql<{ issued: number; total: number; used: number; revenue: number }>`
      select count(*)::int as issued, (count(*) filter (where f.has_status))::int as total, (count(*) filter (where f.status = 'used'))::int as used,
        coalesce(sum(o.current_amount) filter (where o.cancelled_at is null and o.deleted_at is null), 0)::bigint as revenue
      from (select c.status, c.order_id, ${hasStatus} as has_status ${from}) f
      left join orders o on o.merchant_id = ${merchantId} and o.id = f.order_id`.execute(scope.db),
  ])
  const { issued = 0, total = 0, used = 0, revenue = 0 } = count.rows[0] ?? {}
  return { rows: page.rows, total, issued, used, revenue }
}

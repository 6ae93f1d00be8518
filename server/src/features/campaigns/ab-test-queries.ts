import type { AbChoice, AbCompared, AbFigures } from '@okaeri/contract/campaigns/ab-test'
import { sql } from 'kysely'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'

/** What came of the two groups so far: mails taken, people who clicked, and orders credited to them; money in one currency. */
export async function compareGroups(scope: MerchantScope, campaignId: string, currency: string): Promise<AbCompared> {
  const { merchantId } = scope
  const { rows } = await sql<AbFigures & { group: AbChoice }>`
    with credited as (
      select delivery_id, count(*) as orders, sum(amount) filter (where currency = ${currency}) as revenue from conversions
      where merchant_id = ${merchantId} and campaign_id = ${campaignId} and withdrawn_at is null group by delivery_id
    )
    select m.ab_group as group, count(*) filter (where d.status = 'sent')::int as sent, count(d.clicked_at)::int as clicks,
      coalesce(sum(o.orders), 0)::int as orders, coalesce(sum(o.revenue), 0)::bigint as revenue
    from messages m
    join deliveries d on d.merchant_id = ${merchantId} and d.message_id = m.id
    left join credited o on o.delivery_id = d.id
    where m.merchant_id = ${merchantId} and m.campaign_id = ${campaignId} and m.ab_group in ('a', 'b')
    group by m.ab_group`.execute(scope.db)
  const of = (group: AbChoice): AbFigures => {
    const { sent, clicks, orders, revenue } = rows.find((row) => row.group === group) ?? NOTHING
    return { sent, clicks, orders, revenue }
  }
  return { a: of('a'), b: of('b') }
}
const NOTHING: AbFigures = { sent: 0, clicks: 0, orders: 0, revenue: 0 }

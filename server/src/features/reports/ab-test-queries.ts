import type { AbGroup, AbResult, AbTest } from '@okaeri/contract/campaigns/ab-test'
import type { CampaignChannels, CampaignStatus, WaitReason } from '@okaeri/contract/campaigns/campaign'
import { sql } from 'kysely'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'

/** What a campaign tests and how far that is. */
export interface TestRow {
  channels: CampaignChannels
  status: CampaignStatus
  started_at: Date | null
  wait_reason: WaitReason | null
  ab_test: AbTest | null
  ab_decides_at: Date | null
  ab_asked_at: Date | null
  ab_result: AbResult | null
  /** Who decided. */
  member_name: string | null
}

export async function findTest(scope: MerchantScope, campaignId: string): Promise<TestRow | null> {
  const { rows } = await sql<TestRow>`
    select k.channels, k.status, k.started_at, k.wait_reason, k.ab_test, k.ab_decides_at, k.ab_asked_at, k.ab_result,
      (select coalesce(nullif(m.name, ''), m.email) from members m
        where m.merchant_id = ${scope.merchantId} and m.id = (k.ab_result ->> 'by')::uuid) as member_name
    from campaigns k where k.merchant_id = ${scope.merchantId} and k.id = ${campaignId}`.execute(scope.db)
  return rows[0] ?? null
}

interface GroupRow {
  message_id: string
  group: AbGroup
  email_id: string | null
  email_name: string | null
  audience: number
  delivery_count: number
  bounce_count: number
  unsubscribe_count: number
  click_count: number
  order_count: number
  revenue: number
}

/** The groups of a test, A first, each with what came of it: counted from the rows of the ledger, as the campaign's balance is. */
export async function countGroups(scope: MerchantScope, campaignId: string, currency: string): Promise<GroupRow[]> {
  const { merchantId } = scope
  const { rows } = await sql<GroupRow>`
    with credited as (
      select delivery_id, count(*) as orders, sum(amount) filter (where currency = ${currency}) as revenue from conversions
      where merchant_id = ${merchantId} and campaign_id = ${campaignId} and withdrawn_at is null group by delivery_id
    ), counted as (
      select d.message_id, count(*)::int as audience, count(*) filter (where d.status = 'sent')::int as delivery_count,
        count(d.bounced_at)::int as bounce_count, count(d.unsubscribed_at)::int as unsubscribe_count,
        count(d.clicked_at)::int as click_count, coalesce(sum(o.orders), 0)::int as order_count,
        coalesce(sum(o.revenue), 0)::bigint as revenue
      from deliveries d left join credited o on o.delivery_id = d.id
      where d.merchant_id = ${merchantId} and d.campaign_id = ${campaignId} group by d.message_id
    )
    select m.id as message_id, m.ab_group as group, m.email_id,
      (select e.name from emails e where e.merchant_id = ${merchantId} and e.id = m.email_id) as email_name,
      coalesce(c.audience, 0) as audience, coalesce(c.delivery_count, 0) as delivery_count, coalesce(c.bounce_count, 0) as bounce_count,
      coalesce(c.unsubscribe_count, 0) as unsubscribe_count, coalesce(c.click_count, 0) as click_count,
      coalesce(c.order_count, 0) as order_count, coalesce(c.revenue, 0)::bigint as revenue
    from messages m left join counted c on c.message_id = m.id
    where m.merchant_id = ${merchantId} and m.campaign_id = ${campaignId} and m.ab_group is not null
    order by m.ab_group`.execute(scope.db)
  return rows
}

/** Null: the campaign has no such group. */
export async function findMessageOfGroup(
  scope: MerchantScope,
  campaignId: string,
  group: AbGroup,
): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    select id from messages
    where merchant_id = ${scope.merchantId} and campaign_id = ${campaignId} and ab_group = ${group}`.execute(scope.db)
  return rows[0]?.id ?? null
}

import type { AbChoice } from '@okaeri/contract/campaigns/ab-test'
import { sql } from 'kysely'
import type { MerchantScope } from '../../../kernel/merchant-scope.ts'

interface GroupCounts {
  message_id: string
  group: AbChoice
  sent: number
  clicks: number
}

/** Results of the two groups of a test so far: mails accepted, and people who clicked. */
export async function countGroups(scope: MerchantScope, campaignId: string): Promise<GroupCounts[]> {
  const { merchantId } = scope
  const { rows } = await sql<GroupCounts>`
    select m.id as message_id, m.ab_group as group, count(*) filter (where d.status = 'sent')::int as sent,
      count(d.clicked_at)::int as clicks
    from messages m join deliveries d on d.merchant_id = ${merchantId} and d.message_id = m.id
    where m.merchant_id = ${merchantId} and m.campaign_id = ${campaignId} and m.ab_group in ('a', 'b')
    group by m.id, m.ab_group`.execute(scope.db)
  return rows
}

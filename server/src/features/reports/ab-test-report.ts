import type { CampaignReport } from '@okaeri/contract/campaigns/report'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { phaseOf } from '../campaigns/index.ts'
import { findFrozenMail } from '../channels/index.ts'
import { rate } from '../stats/index.ts'
import { countGroups, findTest } from './ab-test-queries.ts'

/** The groups of an A/B test side by side; they add up to the campaign. Null without one. */
export async function testOfCampaign(
  scope: MerchantScope,
  campaignId: string,
  currency: string,
): Promise<CampaignReport['ab_test']> {
  const row = await findTest(scope, campaignId)
  const phase = row && phaseOf(row)
  if (!row?.ab_test || !phase) return null
  const { ab_result: result, member_name: name } = row
  const groups = await countGroups(scope, campaignId, currency)
  if (groups.length === 0) return null
  const shown = []
  for (const { message_id, email_id, email_name, revenue, group, ...counts } of groups) {
    const content = group === 'rest' ? (result?.winner ?? null) : group
    const mail = content && (await findFrozenMail(scope, message_id))
    shown.push({
      ...counts,
      group,
      content,
      subject: mail ? mail.subject : '',
      email: content && email_id && email_name !== null ? { id: email_id, name: email_name } : null,
      click_rate: rate(counts.click_count, counts.delivery_count),
      revenue: { amount: revenue, currency },
    })
  }
  return {
    test: row.ab_test,
    phase,
    decides_at: row.ab_decides_at?.toISOString() ?? null,
    result: result && { ...result, by: result.by && (name ?? '') },
    groups: shown,
  }
}

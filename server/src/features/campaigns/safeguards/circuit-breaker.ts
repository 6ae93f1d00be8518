import {
  CIRCUIT_BREAKER_MIN_EMAILS,
  type CanaryResult,
  problemsOf,
  sumResults,
} from '@okaeri/contract/campaigns/canary'
import type { TransactionScope } from '../../../kernel/merchant-scope.ts'
import { holdMessage, type MessageRow } from '../../deliveries/index.ts'
import { resultsOfCampaigns } from '../../stats/index.ts'
import { resultOfLastOnes } from './circuit-breaker-queries.ts'
import { mailCircuitBreakerWarning } from './canary-warning.ts'
import type { CampaignHold } from './hold-reason.ts'
import { type CampaignRow, updateCampaign } from '../queries.ts'

/** While a campaign is being sent, its bounces and complaints are compared with the limits of the first few; no member has to watch. */

/** What keeps the rest back until a person says how it goes on. */
export const circuitBreakerHold = ({ brake_result, canary_accepted }: CampaignRow): CampaignHold | null =>
  brake_result && !canary_accepted ? { reason: 'braked', until: null } : null

/** Holds the rest back where too much went wrong; returns whether it did. A person who let it go on is not asked again. */
export async function tripCircuitBreaker(
  scope: TransactionScope,
  campaign: CampaignRow,
  messages: readonly MessageRow[],
): Promise<boolean> {
  if (campaign.status !== 'sending' || campaign.test_mode || campaign.canary_accepted || campaign.brake_result)
    return false
  const under = messages.filter(({ channel, state }) => channel === 'email' && state === 'released')
  const brake_result = await badResult(scope, campaign.id, under)
  if (!brake_result) return false
  for (const { id, state } of messages) if (state !== 'done') await holdMessage(scope, id)
  await updateCampaign(scope, campaign.id, {
    status: 'waiting',
    wait_reason: 'braked',
    waits_until: null,
    brake_result,
  })
  await scope.context.jobs.later(scope, mailCircuitBreakerWarning, { campaignId: campaign.id })
  return true
}

async function badResult(
  scope: TransactionScope,
  campaignId: string,
  messages: readonly MessageRow[],
): Promise<CanaryResult | null> {
  const isBad = (result: CanaryResult): boolean =>
    result.tried >= CIRCUIT_BREAKER_MIN_EMAILS && problemsOf(result).length > 0
  const lastOnes: CanaryResult[] = []
  for (const { id } of messages) {
    const result = await resultOfLastOnes(scope, id)
    if (result) lastOnes.push(result)
  }
  if (lastOnes.length === 0) return null
  const sum = sumResults(lastOnes)
  if (isBad(sum)) return sum
  // People complain later than servers: not about the last ones, but about all.
  const results = (await resultsOfCampaigns(scope, [campaignId])).get(campaignId)
  const all = {
    ...sum,
    tried: results?.mails_sent ?? 0,
    hard: 0,
    blocked: 0,
    failed: 0,
    complaints: results?.complained ?? 0,
  }
  return isBad(all) ? all : null
}

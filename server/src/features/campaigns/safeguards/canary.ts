import { canaryPeople, type CanaryResult, problemsOf, sumResults } from '@okaeri/contract/campaigns/canary'
import { lateBefore } from '@okaeri/contract/late'
import type { RawBuilder } from 'kysely'
import type { MerchantScope, TransactionScope } from '../../../kernel/merchant-scope.ts'
import { hasUntried, type MessageRow } from '../../deliveries/index.ts'
import { getMerchant, type MerchantRow } from '../../merchants/index.ts'
import { isInShare } from '../audience-sql.ts'
import { mailCanaryWarning } from './canary-warning.ts'
import { canaryResult } from './canary-queries.ts'
import type { CampaignHold } from './hold-reason.ts'
import { type CampaignRow, updateCampaign } from '../queries.ts'

/**
 * A large campaign goes to a few first, as a message of its own: the rest is another, held until what came of the first was looked at. Both have the
 * same content. Whose address is the same is in the same of the two.
 */

type Planned = Pick<CampaignRow, 'channels'>
type Settings = Pick<MerchantRow, 'canary_from' | 'test_mode'>

/** How many get it first; null: all at once. Only of mails, and not in test mode, where few get any. */
export const plannedCanary = (
  campaign: Planned,
  { canary_from, test_mode }: Settings,
  recipients: number,
): number | null => (campaign.channels === 'email' && !test_mode ? canaryPeople(recipients, canary_from) : null)

const WHOLE = 10_000
export const shareOf = (people: number, recipients: number): number => Math.ceil((people / recipients) * WHOLE)

/** Over a customer `c`: who gets it first. */
export const isCanary = ({ id, canary_share }: CampaignRow): RawBuilder<boolean> =>
  isInShare(canary_share ?? 0, WHOLE, id)

/** What of a campaign may go out now, and what keeps all of it back. */
export interface Step {
  held: CampaignHold | null
  open: MessageRow[]
}

/**
 * The first few before the rest. What keeps the rest back after those is the time in which answers come back, then what came back. What was judged
 * once is not judged again: a person says how it goes on. Of the first few some may still be tried again for hours, or wait for their day: the
 * time begins without them, and only the rest waits.
 */
export async function canaryStep(
  scope: TransactionScope,
  campaign: CampaignRow,
  messages: readonly MessageRow[],
): Promise<Step> {
  const left = messages.filter(({ state }) => state !== 'done')
  const first = left.filter(({ is_canary }) => is_canary)
  const isOnlyOne = first.length === left.length || !messages.some(({ is_canary }) => is_canary)
  if (isOnlyOne || campaign.canary_accepted) return { held: null, open: left }
  const hasBegun = campaign.canary_until !== null || campaign.canary_result !== null
  if (!hasBegun)
    for (const { id, state } of first)
      if (state === 'held' || (await hasUntried(scope, id))) return { held: null, open: first }
  const hold = await holdAfter(scope, campaign, messages)
  if (!hold) return { held: null, open: left }
  const onlyRest = first.length > 0 && hold.reason === 'canary'
  return { held: onlyRest ? null : hold, open: first.length > 0 ? first : left }
}

async function holdAfter(
  scope: TransactionScope,
  campaign: CampaignRow,
  messages: readonly MessageRow[],
): Promise<CampaignHold | null> {
  if (campaign.canary_result) return judgeCanary(scope, campaign, messages)
  const until = campaign.canary_until ?? (await beginWatching(scope, campaign))
  if (until > scope.now) return { reason: 'canary', until }
  // No worker was alive when its time was over: the rest may no longer be wanted.
  if (until < lateBefore('campaign', scope.now) && !campaign.late_accepted) return { reason: 'found_late', until: null }
  return judgeCanary(scope, campaign, messages)
}

/** What came of the first few, looked at once. */
export async function judgeCanary(
  scope: TransactionScope,
  campaign: CampaignRow,
  messages: readonly MessageRow[],
): Promise<CampaignHold | null> {
  if (campaign.canary_accepted) return null
  if (campaign.canary_result) return holdOf(campaign.canary_result)
  const canary_result = await resultOf(scope, messages)
  await updateCampaign(scope, campaign.id, { canary_result })
  const hold = holdOf(canary_result)
  if (hold) await scope.context.jobs.later(scope, mailCanaryWarning, { campaignId: campaign.id })
  return hold
}

const holdOf = (result: CanaryResult): CampaignHold | null =>
  problemsOf(result).length > 0 ? { reason: 'canary_stopped', until: null } : null

async function beginWatching(scope: TransactionScope, campaign: CampaignRow): Promise<Date> {
  const { canary_minutes } = await getMerchant(scope)
  const canary_until = new Date(scope.now.getTime() + canary_minutes * 60_000)
  await updateCampaign(scope, campaign.id, { canary_until })
  return canary_until
}

async function resultOf(scope: MerchantScope, messages: readonly MessageRow[]): Promise<CanaryResult> {
  const results: CanaryResult[] = []
  for (const { id, is_canary } of messages) if (is_canary) results.push(await canaryResult(scope, id))
  return sumResults(results)
}

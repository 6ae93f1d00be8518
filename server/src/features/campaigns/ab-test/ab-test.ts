import {
  type AbChoice,
  type AbCompared,
  type AbGroup,
  type AbPhase,
  type AbResult,
  type AbTest,
  groupBounds,
  WHOLE_AUDIENCE,
  winnerOf,
} from '@okaeri/contract/campaigns/ab-test'
import type { CampaignStatus, WaitReason } from '@okaeri/contract/campaigns/campaign'
import { lateBefore } from '@okaeri/contract/late'
import type { RawBuilder } from 'kysely'
import { conflict } from '../../../kernel/errors.ts'
import type { MerchantScope, TransactionScope } from '../../../kernel/merchant-scope.ts'
import { hasUnfinished, hasUntried, type MessageRow, copyMessageContent } from '../../deliveries/index.ts'
import { getMerchant } from '../../merchants/index.ts'
import { mailTestQuestion } from './ab-test-question.ts'
import { countGroups } from './ab-test-queries.ts'
import { and, isInShare, not } from '../audience-sql.ts'
import { canaryStep, isCanary, judgeCanary, type Step } from '../safeguards/canary.ts'
import type { CampaignHold } from '../safeguards/hold-reason.ts'
import { type CampaignRow, updateCampaign } from '../queries.ts'

/**
 * An A/B test: group A gets one mail, group B another, each as a message of its own. The rest is a third message, held until one of the two has
 * won, whose content it then takes. The ledger knows nothing of tests: it sends what is released.
 */

declare module '../../../kernel/context.ts' {
  interface Ports {
    /** Orders credited to the messages of a campaign that still count; money in one currency. */
    creditedToMessages(
      scope: MerchantScope,
      asked: { campaignId: string; currency: string },
    ): Promise<{ message_id: string; orders: number; revenue: number }[]>
  }
}

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000

/** Null where nothing is tested: what was set is kept while the campaign goes by other channels. */
export const abTestOf = ({ channels, ab_test }: Pick<CampaignRow, 'channels' | 'ab_test'>): AbTest | null =>
  channels === 'email' ? ab_test : null

/** Over a customer `c`: who is in a group. Of one mail address all are in one, however often it is asked. */
export function isInGroup(campaignId: string, test: AbTest, group: AbGroup): RawBuilder<boolean> {
  const { a, b } = groupBounds(test)
  const isTested = isInShare(b, WHOLE_AUDIENCE, campaignId)
  if (group === 'rest') return not(isTested)
  const isA = isInShare(a, WHOLE_AUDIENCE, campaignId)
  return group === 'a' ? isA : and(isTested, not(isA))
}

/** Over a customer `c`: whom one of several messages of the same channel is for. */
export function isForMessage(campaign: CampaignRow, { ab_group, is_canary }: MessageRow): RawBuilder<boolean> {
  const test = abTestOf(campaign)
  if (test && ab_group) return isInGroup(campaign.id, test, ab_group)
  return is_canary ? isCanary(campaign) : not(isCanary(campaign))
}

/** The first few before the rest, and of a test the groups before the rest. Looked at by the driver, under the campaign's lock. */
export async function nextStep(
  scope: TransactionScope,
  campaign: CampaignRow,
  messages: readonly MessageRow[],
): Promise<Step> {
  const test = abTestOf(campaign)
  if (!test) return canaryStep(scope, campaign, messages)
  const left = messages.filter(({ state }) => state !== 'done')
  if (campaign.ab_result) return { held: await askIfLate(scope, campaign), open: left }
  const open = left.filter(({ ab_group }) => ab_group !== 'rest')
  if (campaign.started_at === null) return { held: null, open }
  const rest = waitingRest(left)
  // No one is left to get the better one: all were skipped, or it is unknown what they got.
  if (!rest || !(await hasUnfinished(scope, rest.id))) return { held: null, open: left }
  const until = campaign.ab_decides_at ?? (await beginWatching(scope, campaign, open))
  if (!until) return { held: null, open }
  const canary = campaign.canary_until !== null && campaign.canary_until <= scope.now
  const problem = canary ? await judgeCanary(scope, campaign, messages) : null
  if (problem) return { held: problem, open }
  const undecided = await holdRest(scope, { campaign, test, until, messages })
  if (!undecided) return { held: null, open: left }
  // Some mails of the groups may still be tried again, which takes hours: only the rest waits.
  const isAll = open.length === 0 || undecided.reason === 'found_late'
  return { held: isAll ? undecided : null, open }
}

/** Undefined where it went out already, as after a restore and what a person said of it then. */
const waitingRest = (messages: readonly MessageRow[]): MessageRow | undefined =>
  messages.find(({ ab_group, state }) => ab_group === 'rest' && state === 'held')

/** Of messages that ended, those that go on when it turns out that they had not. */
export const mayResume = ({ ab_result }: CampaignRow, messages: readonly MessageRow[]): MessageRow[] => {
  const isFirst = messages.some(({ is_canary, ab_group, state }) => is_canary && !ab_group && state !== 'done')
  return messages.filter(({ is_canary, ab_group }) =>
    ab_group ? ab_group !== 'rest' || ab_result !== null : is_canary || !isFirst,
  )
}

/** Returns until when; null before each recipient in the groups was tried once, if that is possible. Those tried again or put off do not delay the test. */
async function beginWatching(
  scope: TransactionScope,
  { id, ab_test, canary_share }: CampaignRow,
  groups: readonly MessageRow[],
): Promise<Date | null> {
  for (const group of groups) if (await hasUntried(scope, group.id)) return null
  const { canary_minutes } = await getMerchant(scope)
  const hoursMs = (ab_test?.hours ?? 1) * HOUR_MS
  const after = (ms: number): Date => new Date(scope.now.getTime() + ms)
  const ab_decides_at = after(hoursMs)
  await updateCampaign(scope, id, {
    ab_decides_at,
    canary_until: canary_share === null ? null : after(Math.min(canary_minutes * MINUTE_MS, hoursMs)),
    // What was said of a campaign that began late says nothing of its end.
    late_accepted: false,
  })
  return ab_decides_at
}

interface Undecided {
  campaign: CampaignRow
  test: AbTest
  until: Date
  messages: readonly MessageRow[]
}
/** Null once it is decided, by the figures and once. */
async function holdRest(
  scope: TransactionScope,
  { campaign, test, until, messages }: Undecided,
): Promise<CampaignHold | null> {
  if (until > scope.now) return { reason: 'ab_test', until }
  if (test.decides_by === 'person') return askOwner(scope, campaign, 'ab_undecided')
  // No worker was alive when its time was over: the rest may no longer be wanted.
  if (until < lateBefore('campaign', scope.now) && !campaign.late_accepted)
    return askOwner(scope, campaign, 'found_late')
  const figures = await compareGroups(scope, campaign.id)
  await decide(scope, campaign, { ...winnerOf(figures, test.decides_by), messages, by: null, figures })
  return null
}

/** What came of the two groups so far. */
async function compareGroups(scope: MerchantScope, campaignId: string): Promise<AbCompared> {
  const { currency } = await getMerchant(scope)
  const counts = await countGroups(scope, campaignId)
  const credited = await scope.context.ports.creditedToMessages(scope, { campaignId, currency })
  const of = (group: AbChoice) => {
    const { message_id, sent = 0, clicks = 0 } = counts.find((row) => row.group === group) ?? {}
    const { orders = 0, revenue = 0 } = credited.find((row) => row.message_id === message_id) ?? {}
    return { sent, clicks, orders, revenue }
  }
  return { a: of('a'), b: of('b') }
}

/** It was decided, and then had to wait (for the morning): found hours after that, it asks too. */
async function askIfLate(scope: TransactionScope, campaign: CampaignRow): Promise<CampaignHold | null> {
  const { status, waits_until, late_accepted } = campaign
  const isLate = status === 'waiting' && waits_until !== null && waits_until < lateBefore('campaign', scope.now)
  return isLate && !late_accepted ? askOwner(scope, campaign, 'found_late') : null
}

/** The owner hears of it once. */
async function askOwner(
  scope: TransactionScope,
  { id, ab_asked_at }: CampaignRow,
  reason: 'ab_undecided' | 'found_late',
): Promise<CampaignHold> {
  if (ab_asked_at === null) {
    await updateCampaign(scope, id, { ab_asked_at: scope.now })
    await scope.context.jobs.later(scope, mailTestQuestion, { campaignId: id })
  }
  return { reason, until: null }
}

interface Decision {
  winner: AbChoice
  why: AbResult['why']
  by: string | null
  figures: AbResult['figures']
  messages: readonly MessageRow[]
}
/** From now on the rest gets what won. It was never released, so no one has got anything of it. */
async function decide(
  scope: TransactionScope,
  { id }: CampaignRow,
  { winner, why, by, figures, messages }: Decision,
): Promise<void> {
  const rest = waitingRest(messages)
  const won = messages.find(({ ab_group }) => ab_group === winner)
  if (rest && won && winner !== 'a') await copyMessageContent(scope, { from: won, to: rest })
  await updateCampaign(scope, id, {
    ab_result: { winner, why, decided_at: scope.now.toISOString(), by, figures },
    late_accepted: false,
    ab_asked_at: null,
  })
}

/** A member's choice, before the time is over or whatever came of it. */
export async function decideByPerson(
  scope: TransactionScope,
  campaign: CampaignRow,
  { winner, messages }: { winner: AbChoice; messages: readonly MessageRow[] },
): Promise<void> {
  if (!waitingRest(messages)) throw conflict('campaign_not_testing', 'the rest went out already')
  const figures = await compareGroups(scope, campaign.id)
  await decide(scope, campaign, { winner, why: 'person', by: scope.memberId ?? null, figures, messages })
  await updateCampaign(scope, campaign.id, { canary_accepted: true, wait_reason: null, waits_until: null })
}

type TestProgress = Pick<
  CampaignRow,
  'channels' | 'ab_test' | 'ab_result' | 'ab_decides_at' | 'ab_asked_at' | 'status' | 'started_at' | 'wait_reason'
>
const asking: readonly WaitReason[] = ['canary_stopped', 'braked', 'found_late']
const running: readonly CampaignStatus[] = ['sending', 'waiting']
const before: readonly CampaignStatus[] = ['draft', 'collecting', 'reserving', 'reserved']
/** How far a test is; null without one. */
export function phaseOf(campaign: TestProgress): AbPhase | null {
  const { status, started_at, wait_reason } = campaign
  if (!abTestOf(campaign)) return null
  if (campaign.ab_result) return 'decided'
  if (before.includes(status) || (status === 'waiting' && started_at === null)) return 'planned'
  if (!running.includes(status)) return 'ended'
  if ((wait_reason && asking.includes(wait_reason)) || campaign.ab_asked_at) return 'asks'
  return campaign.ab_decides_at ? 'testing' : 'sending'
}

import type { CampaignStatus } from '@okaeri/contract/campaigns/campaign'
import type { Balance } from '@okaeri/contract/deliveries/delivery'
import { lateBefore } from '@okaeri/contract/late'
import type { Context } from '../../kernel/context.ts'
import { eachMerchantWithDue, recurring } from '../../kernel/work/due-merchants.ts'
import type { Facts } from '../../kernel/facts.ts'
import { readLastHeartbeat } from '../../kernel/installation.ts'
import { NIL_ID } from '../../kernel/ids.ts'
import { job } from '../../kernel/work/jobs.ts'
import { type MerchantScope, merchantScope, type TransactionScope } from '../../kernel/merchant-scope.ts'
import type { Recurring } from '../../kernel/work/schedule.ts'
import { recountMails } from '../customers/index.ts'
import {
  balanceOf,
  cancelMessage,
  countSentByBucket,
  hasUnfinished,
  holdMessage,
  listCampaignMessages,
  listRecipients,
  markUnsentUncertain,
  type MessageRow,
  releaseMessage,
  sumUpMails,
} from '../deliveries/index.ts'
import { fetchLater } from '../segments/index.ts'
import { setSentCounts } from '../stats/index.ts'
import { mayResume, nextStep } from './ab-test/ab-test.ts'
import { audienceOf, findCampaignSegment, recheckRecipients, writeAudience } from './audience.ts'
import { tripCircuitBreaker, circuitBreakerHold } from './safeguards/circuit-breaker.ts'
import { dueCampaigns } from './due-queries.ts'
import {
  findCodesHold,
  holdIfCodesMissing,
  markCodesComplete,
  waitForCodes,
  requestCodes,
  expiredCodesHold,
} from './own-codes/own-codes.ts'
import { type CampaignRow, claimCampaign, listDueCampaignIds, lockCampaign, updateCampaign } from './queries.ts'
import { findHoldReason, type CampaignHold } from './safeguards/hold-reason.ts'

/**
 * Moves a campaign on by one step, if one is due. The step and the new status are one transaction, so a process that dies leaves the
 * campaign where it was and the next look takes the same step. Returns whether anything moved.
 */
async function driveCampaign(scope: MerchantScope, id: string): Promise<boolean> {
  return scope.transaction(async (scope) => {
    const campaign = await claimCampaign(scope, id)
    if (!campaign) return false
    switch (campaign.status) {
      case 'collecting':
        return collect(scope, campaign)
      case 'reserving':
        return freezeRecipients(scope, campaign)
      case 'reserved':
      case 'waiting':
        return start(scope, campaign)
      case 'sending':
        return holdOrFinish(scope, campaign)
      case 'cancelled':
        return closeStopped(scope, campaign)
      default:
        return false
    }
  })
}

/**
 * Once the members of the store platform's segment are fetched, they are reserved. A platform that could not be reached is asked again;
 * what it refuses, or no longer has, is a person's to look at.
 */
async function collect(scope: MerchantScope, campaign: CampaignRow): Promise<boolean> {
  const segment = await findCampaignSegment(scope, campaign)
  if (segment && segment.answered_number >= (campaign.collecting_number ?? 0)) {
    await updateCampaign(scope, campaign.id, { status: 'reserving', collecting_number: null, wait_reason: null })
    return true
  }
  if (segment && segment.status !== 'failed') return false
  if (segment && (segment.failure === 'store_unreachable' || segment.failure === 'internal')) {
    const collecting_number = await fetchLater(scope, segment.id)
    await updateCampaign(scope, campaign.id, { collecting_number, wait_reason: 'segment_calculating' })
    return true
  }
  return failWithoutAudience(scope, campaign)
}

async function failWithoutAudience(scope: MerchantScope, campaign: CampaignRow): Promise<boolean> {
  // The reserved audience no longer counts.
  for (const { id } of await listCampaignMessages(scope, campaign.id)) await cancelMessage(scope, id)
  await updateCampaign(scope, campaign.id, {
    status: 'send_failure',
    collecting_number: null,
    wait_reason: null,
    sent_at: scope.now,
    final_balance: await balanceOf(scope, campaign.id),
  })
  return true
}

async function freezeRecipients(scope: TransactionScope, campaign: CampaignRow): Promise<boolean> {
  const where = await audienceOf(scope, campaign)
  const messages = await listCampaignMessages(scope, campaign.id)
  if (messages.length === 0) return false
  if (!where) return failWithoutAudience(scope, campaign)
  const count = await writeAudience(scope, campaign, { where, messages })
  await requestCodes(scope, campaign, messages)
  await updateCampaign(scope, campaign.id, {
    status: 'reserved',
    customer_count: count,
    collecting_number: null,
    wait_reason: null,
  })
  return true
}

/** Also for a campaign that was sending and had to wait. */
async function start(scope: TransactionScope, campaign: CampaignRow): Promise<boolean> {
  if (!campaign.scheduled_at || campaign.scheduled_at > scope.now) return false
  const messages = await listCampaignMessages(scope, campaign.id)
  if (messages.length === 0) return false
  const step = await nextStep(scope, campaign, messages)
  const held =
    step.held ??
    circuitBreakerHold(campaign) ??
    (await findHoldReason(scope, campaign, unfinished(messages), scope.now)) ??
    (await findCodesHold(scope, campaign, messages))
  if (held) return wait(scope, campaign, held)
  // Consent given, or an address mended, since the reservation counts as what was taken back does. Asked once: who was sent it is known then.
  const hasWaited = campaign.send_type === 'scheduled' || campaign.status === 'waiting'
  if (!campaign.started_at && hasWaited) {
    await recheckRecipients(scope, campaign, messages)
    const more = await findCodesHold(scope, campaign, messages)
    if (more) return wait(scope, campaign, more)
  }
  await markCodesComplete(scope, campaign)
  for (const { id } of step.open) await releaseMessage(scope, id)
  await updateCampaign(scope, campaign.id, {
    status: 'sending',
    wait_reason: null,
    waits_until: null,
    started_at: campaign.started_at ?? scope.now,
  })
  return true
}

async function wait(scope: TransactionScope, campaign: CampaignRow, held: CampaignHold): Promise<boolean> {
  const known = campaign.status === 'waiting' && campaign.wait_reason === held.reason
  if (known && campaign.waits_until?.getTime() === held.until?.getTime()) return false
  await updateCampaign(scope, campaign.id, { status: 'waiting', wait_reason: held.reason, waits_until: held.until })
  return true
}

const unfinished = (messages: readonly MessageRow[]): MessageRow[] => messages.filter(({ state }) => state !== 'done')

async function holdOrFinish(scope: TransactionScope, campaign: CampaignRow): Promise<boolean> {
  const messages = await listCampaignMessages(scope, campaign.id)
  if (messages.length === 0) return false
  const left = unfinished(messages)
  if (left.length === 0) {
    await finish(scope, campaign)
    return true
  }
  // The store reported that its codes no longer work.
  if (left.some(({ awaits_codes }) => awaits_codes) && (await waitForCodes(scope, campaign, messages))) return true
  const step = await nextStep(scope, campaign, messages)
  const held =
    step.held ??
    circuitBreakerHold(campaign) ??
    expiredCodesHold(scope, campaign) ??
    (await findHoldReason(scope, campaign, left, scope.now))
  if (!held) {
    // An older worker that runs beside knows of one message alone; and after the first few come the others.
    const next = step.open.filter(({ state }) => state === 'held')
    for (const { id } of next) await releaseMessage(scope, id)
    return next.length > 0
  }
  for (const { id } of left) await holdMessage(scope, id)
  await updateCampaign(scope, campaign.id, { status: 'waiting', wait_reason: held.reason, waits_until: held.until })
  return true
}

/**
 * Failures that trying again could mend, a campaign that reached no one, or one whose content kept it from most, need the merchant's
 * attention; addresses that do not exist are an ordinary result.
 */
function endStatus({ sent, failed, uncertain, failed_by_class: by }: Balance): CampaignStatus {
  const retriable = (by.temporary ?? 0) + (by.configuration ?? 0) + (by.quota ?? 0) + (by.receiver_limit ?? 0)
  const nothingSent = failed > 0 && sent === 0 && uncertain === 0
  const keptFromMost = (by.content ?? 0) > sent + uncertain
  return retriable > 0 || nothingSent || keptFromMost ? 'send_failure' : 'sent'
}

async function finish(scope: MerchantScope, campaign: CampaignRow): Promise<void> {
  const balance = await balanceOf(scope, campaign.id)
  await updateCampaign(scope, campaign.id, {
    status: endStatus(balance),
    sent_at: scope.now,
    final_balance: balance,
  })
  await countSent(scope, campaign)
  await scope.context.jobs.later(scope, countCustomersMail, { campaignId: campaign.id })
}

/** It became known how uncertain mails ended, or that they still wait: the campaign continues and is counted again. */
export const resumeKnown = (scope: MerchantScope, known: Facts['deliveries.fate_known']): Promise<void> =>
  scope.transaction((scope) => resume(scope, known))

async function resume(scope: TransactionScope, { program }: Facts['deliveries.fate_known']): Promise<void> {
  const campaign = program?.kind === 'campaign' && (await lockCampaign(scope, program.id))
  const messages = campaign ? await listCampaignMessages(scope, campaign.id) : []
  if (!campaign || messages.length === 0) return
  if (campaign.status === 'cancelled') await updateCampaign(scope, campaign.id, { final_balance: null })
  if (!['sending', 'sent', 'send_failure', 'resolved'].includes(campaign.status)) return
  // Restored from before its codes were made.
  if (messages.some(({ awaits_codes }) => awaits_codes) && (await waitForCodes(scope, campaign, messages))) return
  // Also while it still counts as being sent: its message may be done already, and what comes back to a message that is done is skipped.
  for (const { id } of mayResume(campaign, messages)) await releaseMessage(scope, id)
  await updateCampaign(scope, campaign.id, { status: 'sending', sent_at: null, final_balance: null })
}

/**
 * After a restore it is unknown what was sent since: what campaigns that were due have not sent is uncertain. Of one whose audience
 * was not written yet when the copy was made, that is everyone it chooses now. Returns how many.
 */
export async function markUnsentAsUncertain(scope: MerchantScope): Promise<{ name: string; people: number }[]> {
  const taken: { name: string; people: number }[] = []
  for (const id of await listDueCampaignIds(scope))
    await scope.transaction(async (scope) => {
      const campaign = await lockCampaign(scope, id)
      const messages = campaign ? await listCampaignMessages(scope, campaign.id) : []
      if (!campaign || messages.length === 0) return
      if (campaign.status === 'collecting' || campaign.status === 'reserving') {
        if (!campaign.scheduled_at || campaign.scheduled_at > scope.now) return
        await freezeRecipients(scope, campaign)
      } else if (!['reserved', 'waiting', 'sending'].includes(campaign.status)) return
      let people = 0
      for (const message of messages) people += await markUnsentUncertain(scope, message.id)
      // Those skipped may have been sent it since, too: no one is chosen again.
      await updateCampaign(scope, campaign.id, { started_at: campaign.started_at ?? scope.now })
      if (people > 0) taken.push({ name: campaign.name, people })
    })
  return taken
}

/** Stopped on its way: what was being sent has its answers now. */
async function closeStopped(scope: MerchantScope, campaign: CampaignRow): Promise<boolean> {
  if (campaign.final_balance !== null) return false
  for (const { id } of await listCampaignMessages(scope, campaign.id)) if (await hasUnfinished(scope, id)) return false
  await updateCampaign(scope, campaign.id, { final_balance: await balanceOf(scope, campaign.id) })
  await countSent(scope, campaign)
  await scope.context.jobs.later(scope, countCustomersMail, { campaignId: campaign.id })
  return true
}

/** Messages of one content, as the first few's and the rest's, count as one: they are set, not added. */
async function countSent(scope: MerchantScope, campaign: CampaignRow): Promise<void> {
  const messages = await listCampaignMessages(scope, campaign.id)
  const sent = []
  for (const [contentId, its] of Map.groupBy(messages, (message) => message.content_id)) {
    const sums = new Map<number, { bucket: Date; sent: number }>()
    for (const { id } of its)
      for (const { bucket, sent } of await countSentByBucket(scope, id))
        sums.set(bucket.getTime(), { bucket, sent: sent + (sums.get(bucket.getTime())?.sent ?? 0) })
    const { program = null, channel = 'email' } = its[0] ?? {}
    sent.push({ program, channel, contentId, counts: [...sums.values()] })
  }
  await setSentCounts(scope, sent)
  await scope.context.publish(scope, 'deliveries.counted', { programs: [{ kind: 'campaign', id: campaign.id }] })
}

/** Customers whose sums are set in one transaction. */
const RECOUNTED_AT_ONCE = 2000
/** What each customer of a campaign got and did with it, set from the ledger's rows. Segments that ask about mails hear of it. */
export const countCustomersMail = job<{ campaignId: string }>(
  'count-customers-mail',
  ({ campaignId }) => campaignId,
  async (scope, { campaignId }) => {
    for (let after = NIL_ID; ; ) {
      const ids = await listRecipients(scope, { campaignId, after, limit: RECOUNTED_AT_ONCE })
      const last = ids.at(-1)
      if (!last) return
      await scope.transaction(async (scope) => {
        const changed = await recountMails(scope, ids, sumUpMails)
        if (changed.length > 0) await scope.context.publish(scope, 'customers.changed', { customerIds: changed })
      })
      after = last
    }
  },
)

const eachDueCampaign =
  (work: (scope: MerchantScope, id: string) => Promise<boolean>) =>
  async (scope: MerchantScope): Promise<boolean> => {
    let worked = false
    for (const id of await listDueCampaignIds(scope))
      worked = (await work(merchantScope(scope.context, scope.merchantId), id)) || worked
    return worked
  }

/**
 * Before a worker begins: when none was alive for hours (an outage, a restored backup), campaigns that were under way ask whether the
 * rest is still wanted, as those found due late do.
 */
export async function askAfterOutage(context: Context): Promise<void> {
  const lastAlive = await readLastHeartbeat(context)
  if (!lastAlive || lastAlive >= lateBefore('campaign', context.clock.realNow())) return
  const askWhileSending = (scope: MerchantScope, id: string): Promise<boolean> =>
    scope.transaction(async (scope) => {
      const campaign = await claimCampaign(scope, id)
      if (campaign?.status !== 'sending') return false
      for (const message of unfinished(await listCampaignMessages(scope, id))) await holdMessage(scope, message.id)
      await updateCampaign(scope, id, { status: 'waiting', wait_reason: 'found_late', late_accepted: false })
      return true
    })
  await eachMerchantWithDue(context, dueCampaigns, null, eachDueCampaign(askWhileSending))
}

export const campaignWork: readonly Recurring[] = [
  recurring({ name: 'move campaigns on', everyMs: 500, due: dueCampaigns, turn: eachDueCampaign(driveCampaign) }),
  recurring({
    name: 'look at what comes of campaigns',
    everyMs: 15_000,
    due: dueCampaigns,
    turn: eachDueCampaign((scope, id) =>
      scope.transaction(async (scope) => {
        const campaign = await claimCampaign(scope, id)
        if (!campaign) return false
        const messages = await listCampaignMessages(scope, id)
        return (
          (await tripCircuitBreaker(scope, campaign, messages)) || (await holdIfCodesMissing(scope, campaign, messages))
        )
      }),
    ),
  }),
  recurring({
    name: 'count what campaigns sent so far',
    everyMs: 10_000,
    due: dueCampaigns,
    turn: eachDueCampaign((scope, id) =>
      scope.transaction(async (scope) => {
        const campaign = await claimCampaign(scope, id)
        if (campaign?.status === 'sending') await countSent(scope, campaign)
        return false
      }),
    ),
  }),
]

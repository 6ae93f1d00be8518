import type { AbChoice } from '@okaeri/contract/campaigns/ab-test'
import {
  type Campaign,
  type CampaignVerb,
  campaignAllows,
  type CampaignStatus,
  tooLateToCancel,
} from '@okaeri/contract/campaigns/campaign'
import { amountsOfCoupon } from '@okaeri/contract/coupons/coupon'
import type { Reason } from '@okaeri/contract/errors'
import type { Locale } from '@okaeri/contract/locale'
import type { Page } from '@okaeri/contract/paging'
import { conflict, invalid, notFound } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import type { MerchantScope, TransactionScope } from '../../kernel/merchant-scope.ts'
import { retryCampaignCoupons, stopCampaignCoupons } from '../coupons/index.ts'
import {
  balanceOf,
  cancelMessage,
  listCampaignMessages,
  requeueDeliveries,
  withdrawMessage,
} from '../deliveries/index.ts'
import { findEmailContent } from '../emails/index.ts'
import { findLineMessage } from '../line-messages/index.ts'
import { getMerchant, keepCurrency, nameOfCopy } from '../merchants/index.ts'
import { getSegment } from '../segments/index.ts'
import { rate, resultsOfCampaigns } from '../stats/index.ts'
import { decideByPerson, phaseOf } from './ab-test/ab-test.ts'
import { withdrawCodes, waitForCodes } from './own-codes/own-codes.ts'
import {
  type CampaignRow,
  type DraftValues,
  getCampaignForUpdate,
  getCampaignRow,
  insertDraft,
  type NamedCampaignRow,
  selectCampaigns,
  updateCampaign,
} from './queries.ts'

const refusals: Record<CampaignVerb, Reason> = {
  edit: 'campaign_not_editable',
  reserve: 'campaign_not_draft',
  undo: 'campaign_not_undoable',
  cancel: 'campaign_not_reserved',
  stop: 'campaign_not_sending',
  resync: 'campaign_not_resyncable',
  resolve: 'campaign_not_resolvable',
  duplicate: 'campaign_not_editable',
  delete: 'campaign_not_deletable',
  send_late: 'campaign_not_late',
  continue: 'campaign_not_held_back',
  choose_winner: 'campaign_not_testing',
  retry_coupons: 'coupons_not_failed',
}
/** The rule the button is disabled by. */
export function refuseUnlessAllowed(verb: CampaignVerb, status: CampaignStatus): void {
  if (!campaignAllows(verb, status)) throw conflict(refusals[verb], `a campaign that is ${status} does not allow this`)
}

function undoSecondsLeft({ status, started_at, undo_until }: CampaignRow, now: Date): number | null {
  const leftMs = undo_until === null ? -1 : undo_until.getTime() - now.getTime()
  return campaignAllows('undo', status) && started_at === null && leftMs >= 0 ? leftMs / 1000 : null
}

/** On their way: counted at each look. The others keep their last balance; a stopped one has none until its last answer is there. */
const liveStatuses: readonly CampaignStatus[] = ['reserving', 'reserved', 'waiting', 'sending']

export async function presentCampaigns(scope: MerchantScope, rows: readonly NamedCampaignRow[]): Promise<Campaign[]> {
  const results = await resultsOfCampaigns(
    scope,
    rows.map(({ id }) => id),
  )
  const { currency } = await getMerchant(scope)
  const iso = (at: Date | null): string | null => at?.toISOString() ?? null
  const presented: Campaign[] = []
  for (const row of rows) {
    const result = results.get(row.id)
    const isOpen = liveStatuses.includes(row.status) || (row.status === 'cancelled' && row.reserved_at !== null)
    const balance = row.final_balance ?? (isOpen ? await balanceOf(scope, row.id) : null)
    presented.push({
      id: row.id,
      name: row.name,
      status: row.status,
      send_type: row.send_type,
      scheduled_at: iso(row.scheduled_at),
      segment_type: row.segment_type,
      customer_segment_id: row.customer_segment_id,
      customer_segment: row.segment_name === null ? null : { name: row.segment_name },
      email: row.email_id !== null && row.email_name !== null ? { id: row.email_id, name: row.email_name } : null,
      channels: row.channels,
      line_message:
        row.line_message_id !== null && row.line_message_name !== null
          ? { id: row.line_message_id, name: row.line_message_name }
          : null,
      sender: row.sender,
      send_to_all: row.send_to_all,
      tracking_enabled: row.tracking_enabled,
      tracking_parameters: row.tracking_parameters,
      ab_test: row.ab_test,
      coupon: row.coupon,
      ab_email: emailOfB(row),
      ab_phase: phaseOf(row),
      ab_decides_at: iso(row.ab_decides_at),
      ab_result: row.ab_result && { ...row.ab_result, by: row.ab_result.by && (row.ab_member_name ?? '') },
      line_most: row.line_most,
      customer_count: row.customer_count,
      open_count: result?.opened ?? 0,
      open_rate: rate(result?.opened ?? 0, result?.mails_sent ?? 0),
      click_count: result?.clicked ?? 0,
      click_rate: rate(result?.clicked ?? 0, result?.sent ?? 0),
      sales: { amount: result?.revenue ?? 0, currency },
      order_count: result?.orders ?? 0,
      test_mode: row.test_mode,
      wait_reason: row.wait_reason,
      waits_until: iso(row.waits_until),
      canary_result: row.canary_result,
      brake_result: row.brake_result,
      balance: row.reserved_at === null ? null : balance,
      sent_at: iso(row.sent_at),
      reserved_at: iso(row.reserved_at),
      undo_seconds_left: undoSecondsLeft(row, scope.now),
      created_at: row.created_at.toISOString(),
      updated_at: row.updated_at.toISOString(),
    })
  }
  return presented
}

const emailOfB = ({ ab_test, ab_email_name: name }: NamedCampaignRow): Campaign['ab_email'] =>
  ab_test?.email_id && name !== null ? { id: ab_test.email_id, name } : null

export async function presentCampaign(scope: MerchantScope, id: string): Promise<Campaign> {
  const [campaign] = await presentCampaigns(scope, [await getCampaignRow(scope, id)])
  return campaign as Campaign
}

export async function listCampaigns(
  scope: MerchantScope,
  query: Parameters<typeof selectCampaigns>[1],
): Promise<Page<Campaign>> {
  const { rows, total } = await selectCampaigns(scope, query)
  return { data: await presentCampaigns(scope, rows), limit: query.limit, offset: query.offset, total }
}

/** A draft as the wire has it: dates as text. */
type GivenDraft = Omit<DraftValues, 'scheduled_at'> & { scheduled_at: string | null }

/** What a draft refers to must be the merchant's own. */
async function refuseForeignReferences(
  scope: MerchantScope,
  draft: Partial<Pick<DraftValues, 'customer_segment_id' | 'email_id' | 'line_message_id' | 'ab_test'>>,
): Promise<void> {
  const { customer_segment_id, email_id, line_message_id, ab_test } = draft
  if (customer_segment_id)
    await getSegment(scope, customer_segment_id).catch((error: unknown) => {
      throw isNotFound(error) ? invalid({ customer_segment_id: 'not_found' }) : error
    })
  if (email_id && !(await findEmailContent(scope, email_id))) throw invalid({ email_id: 'not_found' })
  if (line_message_id && !(await findLineMessage(scope, line_message_id)))
    throw invalid({ line_message_id: 'not_found' })
  if (ab_test?.email_id && !(await findEmailContent(scope, ab_test.email_id)))
    throw invalid({ 'ab_test.email_id': 'not_found' })
}
const isNotFound = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === notFound().code

/** Spec §5: a reservation date cannot be in the past. */
function refusePast(scope: MerchantScope, scheduledAt: Date | null | undefined): void {
  if (scheduledAt && scheduledAt.getTime() < scope.now.getTime())
    throw invalid({ scheduled_at: 'in_past' }, 'reservation_in_past')
}

export async function createCampaign(scope: MerchantScope, given: GivenDraft): Promise<Campaign> {
  const scheduled_at = given.scheduled_at ? new Date(given.scheduled_at) : null
  refusePast(scope, scheduled_at)
  await refuseForeignReferences(scope, given)
  const id = newId()
  await scope.transaction(async (scope) => {
    await keepCurrency(scope, given.coupon ? amountsOfCoupon(given.coupon) : [])
    await insertDraft(scope, id, { ...given, scheduled_at })
  })
  return presentCampaign(scope, id)
}

export function changeCampaign(scope: MerchantScope, id: string, given: Partial<GivenDraft>): Promise<Campaign> {
  return scope.transaction(async (scope) => {
    if (given.coupon) await keepCurrency(scope, amountsOfCoupon(given.coupon))
    const campaign = await getCampaignForUpdate(scope, id)
    refuseUnlessAllowed('edit', campaign.status)
    const { scheduled_at, ...change } = given
    const at = scheduled_at === undefined ? undefined : scheduled_at === null ? null : new Date(scheduled_at)
    refusePast(scope, at)
    await refuseForeignReferences(scope, change)
    await updateCampaign(scope, id, { ...change, ...(at === undefined ? {} : { scheduled_at: at }) })
    return presentCampaign(scope, id)
  })
}

export function deleteCampaign(scope: MerchantScope, id: string): Promise<void> {
  return scope.transaction(async (scope) => {
    const campaign = await getCampaignForUpdate(scope, id)
    refuseUnlessAllowed('delete', campaign.status)
    await updateCampaign(scope, id, { status: 'deleted' })
  })
}

export function duplicateCampaign(scope: MerchantScope, id: string, language?: Locale): Promise<Campaign> {
  return scope.transaction(async (scope) => {
    const from = await getCampaignRow(scope, id)
    refuseUnlessAllowed('duplicate', from.status)
    const copy = newId()
    await insertDraft(scope, copy, {
      name: await nameOfCopy(scope, from.name, language),
      send_type: from.send_type,
      // The time of the original is over, or belongs to it.
      scheduled_at: null,
      segment_type: from.segment_type,
      customer_segment_id: from.customer_segment_id,
      channels: from.channels,
      email_id: from.email_name === null ? null : from.email_id,
      line_message_id: from.line_message_name === null ? null : from.line_message_id,
      send_to_all: from.send_to_all,
      tracking_enabled: from.tracking_enabled,
      tracking_parameters: from.tracking_parameters,
      ab_test: from.ab_test && {
        ...from.ab_test,
        email_id: from.ab_email_name === null ? null : from.ab_test.email_id,
      },
      coupon: from.coupon,
    })
    return presentCampaign(scope, copy)
  })
}

export function cancelCampaign(scope: MerchantScope, id: string): Promise<Campaign> {
  return scope.transaction(async (scope) => {
    const campaign = await getCampaignForUpdate(scope, id)
    refuseUnlessAllowed('cancel', campaign.status)
    // A waiting campaign has not begun, and its time is over: the margin protects only a campaign that is about to begin automatically.
    if (campaign.started_at !== null) throw conflict('campaign_not_reserved', 'it has begun; stop it instead')
    const about = campaign.status === 'reserved' || campaign.status === 'reserving'
    if (about && campaign.scheduled_at && tooLateToCancel(campaign.scheduled_at, scope.now))
      throw conflict('campaign_sends_too_soon')
    await endEarly(scope, campaign)
    return presentCampaign(scope, id)
  })
}

/** What a person has just confirmed is a draft again, as if nothing had been pressed: nothing of it has left, or it is refused. */
export function undoCampaign(scope: MerchantScope, id: string): Promise<Campaign> {
  return scope.transaction(async (scope) => {
    const campaign = await getCampaignForUpdate(scope, id)
    refuseUnlessAllowed('undo', campaign.status)
    if (undoSecondsLeft(campaign, scope.now) === null)
      throw conflict('campaign_not_undoable', 'it is too late to undo; cancel or stop it')
    await withdrawCodes(scope, campaign)
    for (const message of await listCampaignMessages(scope, id)) await withdrawMessage(scope, message.id)
    await updateCampaign(scope, id, {
      status: 'draft',
      message_id: null,
      line_most: null,
      canary_share: null,
      canary_until: null,
      canary_result: null,
      brake_result: null,
      canary_accepted: false,
      ab_decides_at: null,
      ab_asked_at: null,
      ab_result: null,
      coupon_discount_id: null,
      coupon_ends_at: null,
      customer_count: null,
      collecting_number: null,
      wait_reason: null,
      waits_until: null,
      reserved_at: null,
      undo_until: null,
      test_mode: false,
      ...(campaign.send_type === 'immediate' ? { scheduled_at: null } : {}),
    })
    return presentCampaign(scope, id)
  })
}

/** Pain 22: what has not left yet stays; what is in flight ends. */
export function stopCampaign(scope: MerchantScope, id: string): Promise<Campaign> {
  return scope.transaction(async (scope) => {
    const campaign = await getCampaignForUpdate(scope, id)
    refuseUnlessAllowed('stop', campaign.status)
    await endEarly(scope, campaign)
    return presentCampaign(scope, id)
  })
}

async function endEarly(scope: TransactionScope, campaign: CampaignRow): Promise<void> {
  if (campaign.coupon_discount_id) await stopCampaignCoupons(scope, campaign.id)
  for (const message of await listCampaignMessages(scope, campaign.id)) await cancelMessage(scope, message.id)
  await updateCampaign(scope, campaign.id, {
    status: 'cancelled',
    wait_reason: null,
    waits_until: null,
    // If it has begun, answers are still to come; the driver closes it then.
    final_balance: campaign.started_at === null ? await balanceOf(scope, campaign.id) : null,
  })
}

export function resolveCampaign(scope: MerchantScope, id: string): Promise<Campaign> {
  return scope.transaction(async (scope) => {
    const campaign = await getCampaignForUpdate(scope, id)
    refuseUnlessAllowed('resolve', campaign.status)
    await updateCampaign(scope, id, { status: 'resolved' })
    return presentCampaign(scope, id)
  })
}

/** Tries the failed ones again; consent and suppression are checked again when they are claimed. */
export function resyncCampaign(scope: MerchantScope, id: string): Promise<Campaign> {
  return scope.transaction(async (scope) => {
    const campaign = await getCampaignForUpdate(scope, id)
    refuseUnlessAllowed('resync', campaign.status)
    await requeueCampaign(scope, campaign, 'failed')
    return presentCampaign(scope, id)
  })
}

/** A person decided: those of whom it is not known whether they got it get it (perhaps again). */
export function resendUncertain(scope: MerchantScope, id: string, seen: number): Promise<Campaign> {
  return scope.transaction(async (scope) => {
    const campaign = await getCampaignForUpdate(scope, id)
    const { uncertain } = await balanceOf(scope, id)
    if (uncertain === 0) throw conflict('nothing_uncertain')
    if (uncertain !== seen) throw conflict('campaign_changed_since_review', `there are ${uncertain} now`)
    if (!['sent', 'send_failure', 'resolved'].includes(campaign.status)) throw conflict('campaign_not_resyncable')
    await requeueCampaign(scope, campaign, 'uncertain')
    return presentCampaign(scope, id)
  })
}

async function requeueCampaign(
  scope: TransactionScope,
  campaign: CampaignRow,
  which: 'failed' | 'uncertain',
): Promise<void> {
  const count = await requeueDeliveries(scope, campaign.id, which)
  if (count === 0) throw conflict(which === 'failed' ? 'campaign_not_resyncable' : 'nothing_uncertain')
  if (await waitForCodes(scope, campaign, await listCampaignMessages(scope, campaign.id))) return
  await updateCampaign(scope, campaign.id, { status: 'sending', sent_at: null, final_balance: null })
}

/** The rest goes out, before the time is over or whatever came of those who got it. */
export function acceptCanary(scope: MerchantScope, id: string): Promise<Campaign> {
  return scope.transaction(async (scope) => {
    const campaign = await getCampaignForUpdate(scope, id)
    const { wait_reason } = campaign
    const waits = wait_reason === 'canary' || wait_reason === 'canary_stopped' || wait_reason === 'braked'
    if (!campaignAllows('continue', campaign.status) || !waits) throw conflict('campaign_not_held_back')
    await updateCampaign(scope, id, { canary_accepted: true, wait_reason: null, waits_until: null })
    return presentCampaign(scope, id)
  })
}

/** A person has the store asked again for the codes that it did not make. */
export function retryCoupons(scope: MerchantScope, id: string): Promise<Campaign> {
  return scope.transaction(async (scope) => {
    const campaign = await getCampaignForUpdate(scope, id)
    refuseUnlessAllowed('retry_coupons', campaign.status)
    const { coupon_discount_id: discountId, wait_reason } = campaign
    const count = discountId ? await retryCampaignCoupons(scope, { campaignId: id, discountId }) : 0
    if (count === 0) throw conflict('coupons_not_failed', 'the store refused none of its codes')
    if (wait_reason === 'coupons_failed') await updateCampaign(scope, id, { wait_reason: 'coupons' })
    return presentCampaign(scope, id)
  })
}

/** The rest of a test gets what a person chose. Pressed twice, or in two tabs: the first press counts. */
export function chooseWinner(scope: MerchantScope, id: string, winner: AbChoice): Promise<Campaign> {
  return scope.transaction(async (scope) => {
    const campaign = await getCampaignForUpdate(scope, id)
    if (campaign.ab_result) throw conflict('campaign_test_decided', `${campaign.ab_result.winner} goes to the rest`)
    refuseUnlessAllowed('choose_winner', campaign.status)
    const phase = phaseOf(campaign)
    if (phase === null || phase === 'planned') throw conflict('campaign_not_testing')
    await decideByPerson(scope, campaign, { winner, messages: await listCampaignMessages(scope, id) })
    return presentCampaign(scope, id)
  })
}

export function acceptLate(scope: MerchantScope, id: string): Promise<Campaign> {
  return scope.transaction(async (scope) => {
    const campaign = await getCampaignForUpdate(scope, id)
    if (!campaignAllows('send_late', campaign.status) || campaign.wait_reason !== 'found_late')
      throw conflict('campaign_not_late')
    await updateCampaign(scope, id, { late_accepted: true, wait_reason: null })
    return presentCampaign(scope, id)
  })
}

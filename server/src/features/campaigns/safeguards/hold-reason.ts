import { type CampaignChannel, channelsOf, type WaitReason } from '@okaeri/contract/campaigns/campaign'
import { lateBefore } from '@okaeri/contract/late'
import { SendingHours } from '@okaeri/contract/merchants/merchant'
import type { MerchantScope } from '../../../kernel/merchant-scope.ts'
import {
  channelOf,
  findChannelPause,
  type MessageRow,
  readHold,
  findSendHold,
  waitsForLeavingTestMode,
  findUnconfirmed,
} from '../../deliveries/index.ts'
import { getMerchant, nextAllowedTime } from '../../merchants/index.ts'
import { type CampaignRow, isStoreUnderReview } from '../queries.ts'

export interface CampaignHold {
  reason: WaitReason
  until: Date | null
}

/** What keeps a campaign from being sent at this moment; null when nothing does. Of several channels one that can go on is enough. */
export async function findHoldReason(
  scope: MerchantScope,
  campaign: Pick<CampaignRow, 'channels' | 'scheduled_at' | 'started_at' | 'late_accepted' | 'wait_reason'>,
  /** What is left to be sent. Empty before there is any: what is not confirmed is among the findings then. */
  messages: readonly Pick<MessageRow, 'id' | 'channel' | 'program' | 'test_mode'>[],
  at: Date,
): Promise<CampaignHold | null> {
  const merchant = await getMerchant(scope)
  const hours = SendingHours.parse(merchant.sending_hours)
  const scheduled = campaign.started_at === null ? campaign.scheduled_at : null
  const due = scheduled && (nextAllowedTime(scheduled, hours, merchant.timezone) ?? scheduled)
  // An outage, a restored backup, a moved clock: the message may no longer be wanted (pain 23).
  const isLate = due !== null && due < lateBefore('campaign', at)
  const asked = campaign.wait_reason === 'found_late'
  if (!asked && messages.some((message) => waitsForLeavingTestMode(merchant, message)))
    return { reason: 'test_mode', until: null }
  if ((asked || isLate) && !campaign.late_accepted) return { reason: 'found_late', until: null }
  if (await readHold(scope)) return { reason: 'sending_held', until: null }
  const underReview = !merchant.test_mode && (await isStoreUnderReview(scope))
  let unconfirmed: Awaited<ReturnType<typeof findUnconfirmed>> = null
  for (const message of underReview ? [] : messages) unconfirmed ??= await findUnconfirmed(scope, merchant, message)
  const hold = findSendHold({ merchant, underReview, unconfirmed, at, isPostPurchase: false })
  if (hold) return hold
  const channels = channelsOf(campaign.channels).filter(
    (name) => messages.length === 0 || messages.some(({ channel }) => channel === name),
  )
  const pauses: CampaignHold[] = []
  for (const name of channels) {
    const pause = await findChannelPause(scope, channelOf(scope.context, name), merchant)
    if (!pause) return null
    pauses.push({ reason: pauseReasons[name][pause.by_quota ? 'quota' : 'other'], until: pause.until })
  }
  return pauses[0] ?? null
}

const pauseReasons: Record<CampaignChannel, { quota: WaitReason; other: WaitReason }> = {
  email: { quota: 'mailer_paused', other: 'mailer_paused' },
  line: { quota: 'line_quota', other: 'line_paused' },
}

import type { ChannelName, SkipReason } from '@okaeri/contract/deliveries/delivery'
import type { RawBuilder } from 'kysely'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { getMerchant } from '../merchants/index.ts'
import { orReachedOtherwise } from './audience-sql.ts'
import { channelOf } from './channel.ts'
import { contactRule, whyNotContactable } from './contact-rule.ts'
import {
  analyzeDeliveries,
  countByReason,
  countCapped,
  countReachedBy,
  insertAudience,
  recheckSkipped,
  moveToMessage,
} from './audience-queries.ts'
import { getMessage } from './message-queries.ts'

/** Fewer new rows do not mislead the planner. */
const WORTH_ANALYZING = 2_000

/** The people a campaign's message is for. */
export interface Audience {
  channel: ChannelName
  /** Over a customer `c`. */
  where: RawBuilder<boolean>
  sendToAll: boolean
  /** Over a customer `c`: the campaign reaches the same person by another channel, as another customer. */
  reachedOtherwise?: RawBuilder<boolean>
  /** Over a customer `c`: they get a message by another channel first, which counts for the cap. */
  getsAnother?: RawBuilder<boolean>
}

const addressesOf = ({ context, merchantId }: MerchantScope, { channel }: Audience) => ({
  address: channelOf(context, channel).address(merchantId),
  addressKey: channelOf(context, channel).addressKey(merchantId),
})

/** Why customers of the audience do not get it, the cap aside. `ofMany`: for very many at once. */
function reasonOf(
  scope: MerchantScope,
  { channel, sendToAll, reachedOtherwise }: Audience,
  { ofMany }: { ofMany: boolean },
): RawBuilder<string | null> {
  const reason = whyNotContactable(scope, { channel, sendToAll, ofMany })
  return reachedOtherwise ? orReachedOtherwise(reason, reachedOtherwise) : reason
}

/** Writes one row for each customer chosen; returns how many. Nothing is sent before {@link releaseMessage}. */
export async function freezeAudience(
  scope: MerchantScope,
  {
    campaignId,
    messageId,
    most = null,
    ...audience
  }: Omit<Audience, 'channel'> & {
    campaignId: string
    messageId: string
    /** At most so many of the reachable people get it, long-standing customers first; the others are `over_quota`. */
    most?: number | null
  },
): Promise<number> {
  const { channel, test_mode: testMode } = await getMessage(scope, messageId)
  const whom = { ...audience, channel }
  const count = await insertAudience(scope, {
    campaignId,
    messageId,
    where: whom.where,
    channel,
    ...addressesOf(scope, whom),
    reason: reasonOf(scope, whom, { ofMany: false }),
    testMode,
    ignoresConsent: whom.sendToAll,
    most,
  })
  if (count >= WORTH_ANALYZING) await analyzeDeliveries(scope)
  return count
}

/** How many of an audience each reason leaves out, the cap aside; null: they get it. */
export const countAudience = (
  scope: MerchantScope,
  audience: Audience,
): Promise<{ reason: SkipReason | null; people: number }[]> =>
  countByReason(scope, {
    where: audience.where,
    addressKey: addressesOf(scope, audience).addressKey,
    reason: reasonOf(scope, audience, { ofMany: true }),
  })

/** How many people an audience reaches, without the cap, for each value of `by`, an expression over a customer `c`. */
export const countReached = (
  scope: MerchantScope,
  audience: Audience,
  by: RawBuilder<string | null>,
): Promise<{ value: string | null; people: number }[]> =>
  countReachedBy(scope, {
    where: audience.where,
    addressKey: addressesOf(scope, audience).addressKey,
    reason: reasonOf(scope, audience, { ofMany: true }),
    by,
  })

/**
 * How many of an audience got as many messages as the merchant's cap allows, and would be skipped if it were sent at that time. What a test
 * sends does not count, and is not counted.
 */
export async function countSkippedByCap(scope: MerchantScope, audience: Audience, at: Date): Promise<number> {
  const merchant = await getMerchant(scope)
  const message = { channel: audience.channel, isTest: false, priority: 'normal' } as const
  const { cap } = contactRule(scope, { merchant, message, ofMany: true })
  if (!cap) return 0
  const { addressKey } = addressesOf(scope, audience)
  const reason = reasonOf(scope, audience, { ofMany: true })
  const { where, getsAnother } = audience
  return countCapped(scope, { where, addressKey, reason, getsAnother, cap, at })
}

/** When the message's time has come: who was skipped and can be contacted now gets it. See {@link recheckSkipped}. */
export const recheckAudience = (
  scope: MerchantScope,
  { messageId, ...audience }: Audience & { messageId: string },
): Promise<void> =>
  recheckSkipped(scope, {
    messageId,
    ...addressesOf(scope, audience),
    reason: reasonOf(scope, audience, { ofMany: true }),
  })

/** Moves the recipients whom `which` chooses from one message of a campaign to another. {@link recheckAudience} has to check them then. */
export const moveRecipients = moveToMessage

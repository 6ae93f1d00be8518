import type { AbPeople } from '@okaeri/contract/campaigns/ab-test'
import { type CampaignChannel, channelsOf } from '@okaeri/contract/campaigns/campaign'
import type { CampaignReview } from '@okaeri/contract/campaigns/review'
import type { ChannelName } from '@okaeri/contract/deliveries/delivery'
import type { RawBuilder } from 'kysely'
import type { MerchantScope, TransactionScope } from '../../kernel/merchant-scope.ts'
import {
  type Audience,
  countAudience,
  countSkippedByCap,
  freezeAudience,
  moveRecipients,
  isRecipientOf,
  type MessageRow,
  recheckAudience,
} from '../deliveries/index.ts'
import { countTargets, findSegment, type SegmentRow, membersSql } from '../segments/index.ts'
import { and, everyone, hasLine, not, sharesAddress, sharesAddressOfRecipient } from './audience-sql.ts'
import { isInGroup, isForMessage, abTestOf } from './ab-test/ab-test.ts'
import type { CampaignRow } from './queries.ts'

/** The customers a campaign is meant for, as SQL over `c`; null while no segment is chosen. */
export async function audienceOf(scope: TransactionScope, campaign: CampaignRow): Promise<RawBuilder<boolean> | null> {
  if (campaign.segment_type === 'all') return everyone
  const segment = await findCampaignSegment(scope, campaign)
  return segment && membersSql(scope, segment)
}

/** Null while none is chosen, and when the store platform has deleted it since. */
export const findCampaignSegment = async (
  scope: MerchantScope,
  { segment_type, customer_segment_id }: CampaignRow,
): Promise<SegmentRow | null> =>
  segment_type === 'all' || !customer_segment_id ? null : findSegment(scope, customer_segment_id)

type CampaignAudience = Audience & { channel: CampaignChannel }

/**
 * The people each channel reaches. By both: all of them. Otherwise people who can be written to on LINE get it there, the others by mail.
 * `messages`: the campaign's messages, where their recipients are known already.
 */
export function partsOf(
  scope: MerchantScope,
  campaign: CampaignRow,
  { where, messages = [] }: { where: RawBuilder<boolean>; messages?: readonly MessageRow[] },
): CampaignAudience[] {
  const sendToAll = campaign.send_to_all
  const { channels } = campaign
  if (channels === 'email' || channels === 'line') return [{ channel: channels, where, sendToAll }]
  if (channels === 'both')
    return [
      { channel: 'line', where, sendToAll },
      { channel: 'email', where, sendToAll, getsAnother: hasLine(scope) },
    ]
  const byLine = and(where, hasLine(scope))
  const line = messages.find(({ channel }) => channel === 'line')
  return [
    { channel: 'line', where: byLine, sendToAll },
    {
      channel: 'email',
      // Who befriends or blocks the account between two statements is in one of them all the same.
      where: and(where, not(line ? isRecipientOf(scope, campaign.id) : hasLine(scope))),
      sendToAll,
      reachedOtherwise: line ? sharesAddressOfRecipient(scope, line.id) : sharesAddress(scope, byLine),
    },
  ]
}

type PartCounts = CampaignReview['parts'][number]

export const recipientsBy = (channel: ChannelName, parts: readonly PartCounts[]): number =>
  parts.find((part) => part.channel === channel)?.recipients ?? 0

export const NONE_LEFT_OUT: CampaignReview['left_out'] = {
  no_consent: 0,
  paused: 0,
  no_address: 0,
  suppressed: 0,
  not_linked: 0,
  not_a_friend: 0,
  blocked: 0,
  duplicate_address: 0,
  frequency_cap: 0,
}

/** Per channel, who would get it if it were sent at that time; and who would not, and why. */
export async function countParts(
  scope: TransactionScope,
  campaign: CampaignRow,
  where: RawBuilder<boolean> | null,
  at: Date,
): Promise<PartCounts[]> {
  if (!where)
    return channelsOf(campaign.channels).map((channel) => ({
      channel,
      audience: 0,
      recipients: 0,
      left_out: NONE_LEFT_OUT,
    }))
  const counted: PartCounts[] = []
  for (const part of partsOf(scope, campaign, { where })) {
    const { audience, reached, left_out } = await countPart(scope, part)
    const frequency_cap = await countSkippedByCap(scope, part, at)
    const recipients = reached - frequency_cap
    counted.push({
      channel: part.channel,
      audience,
      recipients,
      left_out: { ...NONE_LEFT_OUT, ...left_out, frequency_cap },
    })
  }
  return counted
}

async function countPart(
  scope: TransactionScope,
  part: Audience,
): Promise<{ audience: number; reached: number; left_out: Partial<PartCounts['left_out']> }> {
  const { channel, where, sendToAll, reachedOtherwise } = part
  if (channel === 'email' && !reachedOtherwise) {
    const { total, reachable, no_consent, paused, no_address, suppressed, duplicate_address } = await countTargets(
      scope,
      where,
      { sendToAll },
    )
    return {
      audience: total,
      reached: reachable,
      left_out: { no_consent, paused, no_address, suppressed, duplicate_address },
    }
  }
  const counts = await countAudience(scope, part)
  return {
    audience: sum(counts, ({ people }) => people),
    reached: sum(counts, ({ reason, people }) => (reason === null ? people : 0)),
    left_out: Object.fromEntries(counts.flatMap(({ reason, people }) => (reason ? [[reason, people]] : []))),
  }
}

/** Writes the audience of each of the campaign's messages; returns for how many people. */
export async function writeAudience(
  scope: TransactionScope,
  campaign: CampaignRow,
  { where, messages }: { where: RawBuilder<boolean>; messages: readonly MessageRow[] },
): Promise<number> {
  let people = 0
  for (const { channel, ...part } of partsOf(scope, campaign, { where, messages })) {
    const its = messages.filter((each) => each.channel === channel)
    if (its.length === 0) throw new Error(`campaign ${campaign.id} has no message by ${channel}`)
    const most = channel === 'line' ? campaign.line_most : null
    let count = 0
    for (const message of its) {
      const where = its.length === 1 ? part.where : and(part.where, isForMessage(campaign, message))
      count += await freezeAudience(scope, { ...part, where, most, campaignId: campaign.id, messageId: message.id })
    }
    people = campaign.channels === 'both' ? count : people + count
  }
  return people
}

/** Who befriended or blocked the account, or gave their consent, since the audience was written. */
export async function recheckRecipients(
  scope: TransactionScope,
  campaign: CampaignRow,
  messages: readonly MessageRow[],
): Promise<void> {
  const of = (channel: CampaignChannel) => messages.find((message) => message.channel === channel)
  const [line, email] = [of('line'), of('email')]
  if (line && email && campaign.channels === 'line_else_email') {
    await moveRecipients(scope, { from: line, to: email, which: not(hasLine(scope)) })
    await moveRecipients(scope, { from: email, to: line, which: hasLine(scope) })
  }
  for (const part of partsOf(scope, campaign, { where: everyone, messages })) {
    for (const { id, channel } of messages)
      if (channel === part.channel) await recheckAudience(scope, { ...part, messageId: id })
  }
}

declare module '../../kernel/context.ts' {
  interface Ports {
    /**
     * Whether no store is connected or its customers are here; with `orders` (needed by conditions) these too. `once`: a copy under way
     * does not matter where there was one before.
     */
    storeIsCopied(scope: MerchantScope, asked: { orders: boolean; once?: boolean }): Promise<boolean>
  }
}

/** Conditions of ours read orders; who is in a segment of the store platform, the store says. */
export const isAudienceCopied = (scope: MerchantScope, { segment_type }: CampaignRow): Promise<boolean> =>
  scope.context.ports.storeIsCopied(scope, { orders: segment_type === 'own' })

/** How many get A, how many B, and how many wait; null without a test. The same question decides when the audience is written. */
export async function countGroupPeople(
  scope: TransactionScope,
  campaign: CampaignRow,
  { where, at, recipients }: { where: RawBuilder<boolean> | null; at: Date; recipients: number },
): Promise<AbPeople | null> {
  const test = abTestOf(campaign)
  if (!test || !where) return null
  const of = async (group: 'a' | 'b'): Promise<number> => {
    const parts = await countParts(scope, campaign, and(where, isInGroup(campaign.id, test, group)), at)
    return sum(parts, (part) => part.recipients)
  }
  const [a, b] = [await of('a'), await of('b')]
  return { a, b, rest: recipients - a - b }
}

export const sum = <T>(all: readonly T[], of: (one: T) => number): number =>
  all.reduce((total, one) => total + of(one), 0)

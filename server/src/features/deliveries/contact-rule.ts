import type { ConsentKind } from '@okaeri/contract/customers/customer'
import type { ChannelName } from '@okaeri/contract/deliveries/delivery'
import type { RawBuilder } from 'kysely'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import type { MerchantRow } from '../merchants/index.ts'
import { channelOf } from './channel.ts'
import type { FrequencyCap } from './audience-queries.ts'

/** Whether a person may be contacted now, as one SQL reason for each row; null for those who may. */
export interface ContactRule {
  /** Over a customer `c`: where they are written to. */
  address: RawBuilder<string | null>
  /** Over a customer `c`: consent, suppression and reach. */
  reason: RawBuilder<string | null>
  /** The same for messages that are sent regardless of consent. */
  reasonToAll: RawBuilder<string | null>
  /** How many messages one person may get; null: any number. */
  cap: FrequencyCap | null
}

/** What holds a whole program, not one person, is in send-holds.ts. */
export const contactRule = (
  scope: MerchantScope,
  {
    merchant,
    message,
    ofMany = false,
  }: {
    merchant: Pick<MerchantRow, 'frequency_cap_count' | 'frequency_cap_days' | 'test_mode'>
    message: { channel: ChannelName; isTest: boolean; priority: 'normal' | 'always'; kind?: ConsentKind }
    ofMany?: boolean
  },
): ContactRule => {
  const asked = { channel: message.channel, ofMany, ...(message.kind && { kind: message.kind }) }
  return {
    address: channelOf(scope.context, message.channel).address(scope.merchantId),
    reason: whyNotContactable(scope, { ...asked, sendToAll: false }),
    reasonToAll: whyNotContactable(scope, { ...asked, sendToAll: true }),
    // Tests do not count against the cap; a scenario that always sends is not held back.
    cap: message.isTest || merchant.test_mode || message.priority === 'always' ? null : capOf(merchant),
  }
}

/**
 * Why a person cannot be contacted, the cap aside, as SQL over a customer `c`; null for those who can. Counts, reviews, steps, rehearsals,
 * reservations and the claim all ask this. `ofMany`: for very many at once.
 */
export const whyNotContactable = (
  { context, merchantId, now }: MerchantScope,
  { channel, ...options }: { channel: ChannelName; sendToAll: boolean; kind?: ConsentKind; ofMany?: boolean },
): RawBuilder<string | null> => channelOf(context, channel).whyNotReachable(merchantId, { ...options, now })

const capOf = ({
  frequency_cap_count: count,
  frequency_cap_days: days,
}: Pick<MerchantRow, 'frequency_cap_count' | 'frequency_cap_days'>): FrequencyCap | null =>
  count === null ? null : { count, days }

import type { RawBuilder } from 'kysely'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import type { MerchantRow } from '../merchants/index.ts'
import type { Channel } from './channel.ts'
import type { FrequencyCap } from './queries.ts'

/** Whether a person may be contacted now, as one SQL reason for each row; null for those who may. */
export interface ContactRule {
  /** Over a customer `c`: consent, suppression and reach. */
  reason: RawBuilder<string | null>
  /** The same for messages that are sent whatever the consent. */
  reasonToAll: RawBuilder<string | null>
  /** How many messages one person may get; null: any number. */
  cap: FrequencyCap | null
}

/** The rule of the claim. Counts before it ask {@link Channel.whyNotReachable} and {@link frequencyCapOf} by themselves, of many at once. */
export const contactRule = (
  { merchantId }: MerchantScope,
  { channel, merchant, isExempt }: { channel: Channel; merchant: MerchantRow; isExempt: boolean },
): ContactRule => ({
  reason: channel.whyNotReachable(merchantId, { sendToAll: false }),
  reasonToAll: channel.whyNotReachable(merchantId, { sendToAll: true }),
  cap: isExempt ? null : frequencyCapOf(merchant),
})

export const frequencyCapOf = ({
  frequency_cap_count: count,
  frequency_cap_days: days,
}: MerchantRow): FrequencyCap | null => (count === null ? null : { count, days })

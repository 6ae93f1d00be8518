import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { getMerchant, type MerchantRow, nextAllowedTime } from '../merchants/index.ts'
import { findStore } from '../stores/index.ts'
import type { Channel, SenderMissing } from './channel.ts'
import { selectPause } from './pause-queries.ts'
import type { ReleasedMessage } from './message-queries.ts'
import type { MessageRow } from './rows.ts'

/** What keeps messages for customers from leaving at a moment. */
export type SendHold =
  | { reason: 'store_under_review'; until: null }
  | { reason: 'account_unconfirmed' | SenderMissing; until: null }
  | { reason: 'sending_hours'; until: Date }

/**
 * The one rule for campaigns and scenarios: a store under review (but not in test mode), what is unconfirmed, the sending hours. Asked
 * when sending begins, so that a change of the settings counts at once.
 */
export function findSendHold({
  merchant,
  underReview,
  unconfirmed,
  at,
  isPostPurchase,
}: {
  merchant: Pick<MerchantRow, 'sending_hours' | 'timezone' | 'test_mode'>
  underReview: boolean
  /** Null where it is looked at for each message. */
  unconfirmed: 'account_unconfirmed' | SenderMissing | null
  at: Date
  isPostPurchase: boolean
}): SendHold | null {
  const { sending_hours: hours, timezone, test_mode: testMode } = merchant
  if (underReview && !testMode) return { reason: 'store_under_review', until: null }
  if (unconfirmed) return { reason: unconfirmed, until: null }
  if (isPostPurchase && hours.exclude_post_purchase) return null
  const until = nextAllowedTime(at, hours, timezone)
  return until && { reason: 'sending_hours', until }
}

/**
 * A campaign confirmed for customers is not sent to test addresses instead: what is left of it waits until test mode is switched off. One
 * that was confirmed in test mode is a test.
 */
export const waitsForLeavingTestMode = (
  merchant: Pick<MerchantRow, 'test_mode'>,
  { program, test_mode: isTest }: Pick<MessageRow, 'program' | 'test_mode'>,
): boolean => merchant.test_mode && !isTest && program?.kind === 'campaign'

/** For the messages of scenarios; tests go at once. */
export async function scenarioHolds(scope: MerchantScope): Promise<(message: ReleasedMessage) => boolean> {
  const merchant = await getMerchant(scope)
  const underReview = !merchant.test_mode && ((await findStore(scope))?.under_review ?? false)
  const terms = { merchant, underReview, unconfirmed: null, at: scope.now }
  const holdsAny = findSendHold({ ...terms, isPostPurchase: false }) !== null
  const holdsPostPurchase = findSendHold({ ...terms, isPostPurchase: true }) !== null
  return ({ program, for_tests, post_purchase }) =>
    program?.kind === 'scenario' && !for_tests && (post_purchase ? holdsPostPurchase : holdsAny)
}

/** Until when the merchant's provider of a channel takes nothing; null when it does. */
export const findChannelPause = (
  scope: MerchantScope,
  channel: Channel,
  merchant: MerchantRow,
): Promise<{ until: Date; detail: string | null; by_quota: boolean } | null> =>
  selectPause(scope, { channel: channel.name, route: channel.routeOf(scope.context, merchant).name })

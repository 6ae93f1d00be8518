import type {
  Balance,
  DeliveryStatus,
  DeliveryView,
  FailureClass,
  SkipReason,
} from '@okaeri/contract/deliveries/delivery'
import { newId } from '../../kernel/ids.ts'
import type { MerchantScope, TransactionScope } from '../../kernel/merchant-scope.ts'
import type { RecipientVariables } from '../email-rendering/index.ts'
import { getMerchant } from '../merchants/index.ts'
import { type PreparedContent } from './channel.ts'
import {
  clearAddresses,
  insertReceipt,
  insertTestDelivery,
  moveToCustomer,
  requeueRows,
  skipDuplicates,
} from './queries.ts'
import { insertMessage, listCampaignMessages } from './message-queries.ts'
import { countByStatus, selectDeliveriesOfMessage } from './reading-queries.ts'
import { freezeMessage, releaseMessage } from './message.ts'
import { presentDelivery } from './delivery-list.ts'

/** A customer removed here: no address of theirs is kept. What is still to be sent is skipped when it is claimed. */
export const forgetRecipient = (scope: MerchantScope, { customerId }: { customerId: string }): Promise<void> =>
  clearAddresses(scope, customerId)

/**
 * Two customers of the store became one: what the one got, the other got. Where both are in the audience of a campaign the other's row
 * stays alone; what is still to be sent to the first one is skipped. Of a scenario's node both may wait for the morning: one goes out.
 */
export const joinDeliveries = (
  scope: MerchantScope,
  { fromId, intoId }: { fromId: string; intoId: string },
): Promise<void> =>
  scope.transaction(async (scope) => {
    await skipDuplicates(scope, [fromId, intoId])
    await moveToCustomer(scope, fromId, intoId)
  })

/** Puts the failed rows, or those of unknown fate, back to pending and answers how many. What failed for its content would fail again. */
export async function requeueDeliveries(
  scope: MerchantScope,
  campaignId: string,
  which: 'failed' | 'uncertain',
): Promise<number> {
  const count = await requeueRows(scope, campaignId, which)
  if (count === 0) return 0
  for (const { id, awaits_codes } of await listCampaignMessages(scope, campaignId))
    if (!awaits_codes) await releaseMessage(scope, id)
  return count
}

/** Sends the content to addresses a person typed, marked as a test; they count nowhere. One row each, written before it is sent. */
export const recordTestDeliveries = (
  scope: MerchantScope,
  content: PreparedContent,
  to: { addresses: readonly string[]; customerId: string | null },
): Promise<DeliveryView[]> =>
  scope.transaction(async (scope) => {
    const messageId = await freezeMessage(scope, content, { program: null })
    for (const address of to.addresses)
      await insertTestDelivery(scope, {
        id: newId(),
        messageId,
        channel: content.channel,
        customerId: to.customerId,
        address,
      })
    await releaseMessage(scope, messageId)
    const { rows } = await selectDeliveriesOfMessage(scope, messageId)
    return rows.map((row) => presentDelivery(row, null))
  })

/**
 * A message to one customer that answers what they just did themselves: at any hour, whatever they allow besides, and never capped. In the
 * transaction that stored what they did, so that there is one of each.
 */
export async function recordReceipt(
  scope: TransactionScope,
  content: PreparedContent,
  to: { customerId: string; variables: RecipientVariables },
): Promise<void> {
  const { test_mode: testMode } = await getMerchant(scope)
  const messageId = newId()
  const uses = { uses_event: true, uses_coupon: false }
  await insertMessage(scope, content, {
    id: messageId,
    program: null,
    state: 'released',
    test_mode: testMode,
    priority: 'always',
    is_receipt: true,
    ...uses,
  })
  await insertReceipt(scope, { messageId, channel: content.channel, testMode, ...to })
}

const sum = (counts: Record<string, number>): number => Object.values(counts).reduce((total, count) => total + count, 0)

/** audience = pending + sending + sent + failed + skipped + uncertain, counted from the rows (domain.md §2). */
export async function balanceOf(scope: MerchantScope, campaignId: string): Promise<Balance> {
  const byStatus: Record<DeliveryStatus, number> = {
    pending: 0,
    sending: 0,
    sent: 0,
    failed: 0,
    skipped: 0,
    uncertain: 0,
  }
  const skipped: Partial<Record<SkipReason, number>> = {}
  const failed: Partial<Record<FailureClass, number>> = {}
  for (const { status, reason, count } of await countByStatus(scope, campaignId)) {
    byStatus[status] += count
    if (status === 'skipped' && reason) skipped[reason as SkipReason] = count
    if (status === 'failed' && reason) failed[reason as FailureClass] = count
  }
  return { audience: sum(byStatus), ...byStatus, skipped_by_reason: skipped, failed_by_class: failed }
}

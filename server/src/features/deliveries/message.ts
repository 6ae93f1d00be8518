import { newId } from '../../kernel/ids.ts'
import type { MerchantScope, TransactionScope } from '../../kernel/merchant-scope.ts'
import { getMerchant } from '../merchants/index.ts'
import type { Program } from '../stats/index.ts'
import { channelOf, type PreparedContent } from './channel.ts'
import { markPendingSkipped } from './queries.ts'
import { copyMessageColumns, deleteUnsent, findMessage, insertMessage, markMessageState } from './message-queries.ts'
import type { MessageRow } from './rows.ts'

/** Freezes the content: from here on the message is what it is, whatever happens to what it was made from. Returns its id. */
export const freezeMessage = (
  scope: MerchantScope,
  content: PreparedContent,
  program: Program | null,
  /** How many people it will be for: they count as waiting until its rows are written. */
  expectedCount: number | null = null,
  /** Which part of its campaign's recipients it is for; a canary goes out before the rest. `usesCoupon`: no row leaves without a code. */
  {
    isCanary = false,
    abGroup = null,
    usesCoupon = false,
  }: { isCanary?: boolean; abGroup?: MessageRow['ab_group']; usesCoupon?: boolean } = {},
): Promise<string> =>
  scope.transaction(async (scope) => {
    const id = newId()
    const { test_mode } = await getMerchant(scope)
    const expected_count = test_mode ? null : expectedCount
    const part = { is_canary: isCanary, ab_group: abGroup, uses_coupon: usesCoupon, awaits_codes: usesCoupon }
    await insertMessage(scope, content, { id, program, state: 'held', test_mode, expected_count, ...part })
    return id
  })

/** From now on senders may claim the message's rows. */
export const releaseMessage = (scope: MerchantScope, messageId: string): Promise<void> =>
  markMessageState(scope, messageId, 'released')

/** Stops claiming: what is in flight ends, the rest waits. */
export const holdMessage = (scope: MerchantScope, messageId: string): Promise<void> =>
  markMessageState(scope, messageId, 'held')

/** Nothing of the message goes out any more; its rows say so. */
export async function cancelMessage(scope: MerchantScope, messageId: string): Promise<void> {
  await markMessageState(scope, messageId, 'done')
  await markPendingSkipped(scope, messageId, 'cancelled')
}

/**
 * As if it had never been frozen. Only of a message that was never released: nothing of it can have left, so nothing is lost with its rows.
 * Throws where that is not so.
 */
export async function withdrawMessage(scope: TransactionScope, messageId: string): Promise<void> {
  const message = await findMessage(scope, messageId)
  if (message?.state !== 'held') throw new Error(`message ${messageId} is ${message?.state}`)
  await channelOf(scope.context, message.channel).deleteContent(scope, messageId)
  if (!(await deleteUnsent(scope, messageId))) throw new Error(`message ${messageId} was being sent`)
}

/** Before a message is released for the first time: it says what another of its campaign says. */
export async function copyMessageContent(
  scope: TransactionScope,
  { from, to }: { from: MessageRow; to: MessageRow },
): Promise<void> {
  if (to.state !== 'held' || from.channel !== to.channel) throw new Error(`message ${to.id} is ${to.state}`)
  const channel = channelOf(scope.context, to.channel)
  await copyMessageColumns(scope, from.id, to.id)
  await channel.deleteContent(scope, to.id)
  await channel.copyContent(scope, from.id, to.id)
}

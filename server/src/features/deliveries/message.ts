import { newId } from '../../kernel/ids.ts'
import type { MerchantScope, TransactionScope } from '../../kernel/merchant-scope.ts'
import { getMerchant } from '../merchants/index.ts'
import type { Program } from '../stats/index.ts'
import { channelOf, type PreparedContent } from './channel.ts'
import { markPendingSkipped } from './queries.ts'
import { copyMessageColumns, deleteUnsent, findMessage, insertMessage, markMessageState } from './message-queries.ts'
import type { MessageRow } from './rows.ts'

interface MessageToFreeze {
  /** Null: a test send. */
  program: Program | null
  /** How many people it will be for: they count as waiting until its rows are written. */
  people?: number | null
  /** It goes out before the rest of its campaign. */
  isCanary?: boolean
  abGroup?: MessageRow['ab_group']
  /** No row leaves without a code. */
  usesCoupon?: boolean
}

/** Freezes the content: from here on the message is what it is, whatever happens to what it was made from. Returns its id. */
export const freezeMessage = (
  scope: MerchantScope,
  content: PreparedContent,
  { program, people = null, isCanary = false, abGroup = null, usesCoupon = false }: MessageToFreeze,
): Promise<string> =>
  scope.transaction(async (scope) => {
    const id = newId()
    const { test_mode } = await getMerchant(scope)
    await insertMessage(scope, content, {
      id,
      program,
      state: 'held',
      test_mode,
      expected_count: test_mode ? null : people,
      is_canary: isCanary,
      ab_group: abGroup,
      uses_coupon: usesCoupon,
      awaits_codes: usesCoupon,
    })
    return id
  })

/** From now on senders may claim the message's rows. */
export const releaseMessage = (scope: MerchantScope, messageId: string): Promise<void> =>
  markMessageState(scope, messageId, 'released')

/** Stops claiming: what is in flight ends, the rest waits. */
export const holdMessage = (scope: MerchantScope, messageId: string): Promise<void> =>
  markMessageState(scope, messageId, 'held')

/** Nothing more of the message is sent; its pending rows become `skipped`. */
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

/** A message that was never released takes the content of another message of its campaign. */
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

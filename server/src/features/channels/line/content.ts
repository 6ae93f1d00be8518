import { NO_PARAMETERS } from '@okaeri/contract/campaigns/campaign'
import { createHash } from 'node:crypto'
import type { DeliveryView } from '@okaeri/contract/deliveries/delivery'
import { conflict } from '../../../kernel/errors.ts'
import type { LineMessage } from '../../../integrations/line/index.ts'
import type { MerchantScope } from '../../../kernel/merchant-scope.ts'
import {
  type ContentState,
  type NoContent,
  type PreparedContent,
  recordTestDeliveries,
  type StepContent,
  type Tracking,
} from '../../deliveries/index.ts'
import { TemplateError } from '../../email-rendering/index.ts'
import { findLineMessage, type LineMessageRow, prepareLineMessages } from '../../line-messages/index.ts'
import { insertLine } from './content-queries.ts'
import { unitOf } from './unit.ts'

/** What is to be sent by LINE: one to five messages as the platform takes them, with tags, and markers where links will stand. */
interface LineContent {
  /** What it was written in; null: our own words. */
  contentId: string | null
  messages: readonly LineMessage[]
  /** Addresses it leads to, in the order of their places. */
  links: string[]
  /** It says something of its own to each person. */
  isPersonal: boolean
  /** The platform counts who opens it. */
  isCounted?: boolean
}

export const readyLine = (
  { contentId, messages, links, isPersonal, isCounted }: LineContent,
  tracking: Tracking,
): PreparedContent => ({
  channel: 'line',
  contentId,
  tracking,
  links,
  insert: (scope, messageId) =>
    insertLine(scope, messageId, {
      messages: [...messages],
      is_personal: isPersonal,
      unit: isCounted ? unitOf(messageId) : null,
    }),
})

type Written = Pick<LineMessageRow, 'id' | 'messages' | 'quick_replies'>

const prepare = async (scope: MerchantScope, message: Written, tracking: Tracking, isCounted = false) => {
  const prepared = await prepareLineMessages(scope, message, { tracking, contentId: message.id })
  return { uses: prepared.uses, ...readyLine({ contentId: message.id, ...prepared, isCounted }, tracking) }
}

/**
 * Not inside a transaction: it may take as long as a template may. Throws `preflight_failed` when it takes longer. `isCounted`: the platform is to
 * count who opens it, for which it takes one of the month's units.
 */
export async function prepareLine(
  scope: MerchantScope,
  message: Written,
  tracking: Tracking,
  isCounted?: boolean,
): Promise<PreparedContent> {
  try {
    return await prepare(scope, message, tracking, isCounted)
  } catch (error) {
    if (error instanceof TemplateError) throw conflict('preflight_failed', error.message)
    throw error
  }
}

/** Our own words to one person, with a link of their own. Not inside a transaction. */
export async function prepareLineReceipt(scope: MerchantScope, text: string): Promise<PreparedContent> {
  const content = { messages: [{ type: 'text' as const, text }], quick_replies: [] }
  const untracked = { enabled: false, parameters: NO_PARAMETERS }
  const prepared = await prepareLineMessages(scope, content, { tracking: untracked, contentId: '' })
  return readyLine({ contentId: null, ...prepared }, untracked)
}

/** To friends, marked as a test; they count nowhere. One row each, written before it is sent. */
export async function sendTestLine(
  scope: MerchantScope,
  message: LineMessageRow,
  to: { addresses: readonly string[]; customerId: string | null },
): Promise<DeliveryView[]> {
  const untracked = { enabled: false, parameters: NO_PARAMETERS }
  return recordTestDeliveries(scope, await prepareLine(scope, message, untracked), to)
}

/** What makes a scenario's message differ from an earlier one. */
export async function findLineState(scope: MerchantScope, id: string): Promise<ContentState | null> {
  const message = await findLineMessage(scope, id)
  return message && stateOf(message)
}

const stateOf = ({ messages, quick_replies }: LineMessageRow): ContentState => ({
  hash: createHash('sha256')
    .update(JSON.stringify([messages, quick_replies]))
    .digest('base64url'),
})

/** It may have been edited since it was looked at: what is frozen is one state of it, named by that state. */
export async function prepareLineOfStep(
  scope: MerchantScope,
  id: string,
  tracking: Tracking,
): Promise<StepContent | NoContent> {
  const message = await findLineMessage(scope, id)
  if (!message) return { missing: 'line_message_gone', detail: id }
  try {
    return { state: stateOf(message), ...(await prepare(scope, message, tracking)) }
  } catch (error) {
    if (error instanceof TemplateError) return { missing: 'template_broken', detail: error.message }
    throw error
  }
}

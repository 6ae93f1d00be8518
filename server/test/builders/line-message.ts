import type { LineMessage, LineMessagePart } from '@okaeri/contract/line-messages/message'
import { createLineMessage } from '@okaeri/contract/line-messages/routes'
import type { TestMerchant } from '../harness.ts'

/** Written and saved. Where nothing is said: one text. */
export const aLineMessage = async (
  merchant: TestMerchant,
  messages: LineMessagePart[] = [{ type: 'text', text: '夏の新茶が届きました' }],
  name = '夏のお知らせ',
): Promise<LineMessage> => (await merchant.call(createLineMessage, { body: { name, messages } })).line_message

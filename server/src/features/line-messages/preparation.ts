import { NO_PARAMETERS } from '@okaeri/contract/campaigns/campaign'
import { composeLine, type LineJson } from '@okaeri/contract/line-messages/composing'
import type { LineMessageContent } from '@okaeri/contract/line-messages/message'
import { textsWithTags } from '@okaeri/contract/line-messages/texts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { eventFieldsNeeded, type LinkMarks, variablesUsed } from '../email-rendering/index.ts'
import { numberLinks } from './links.ts'

export interface LineTracking {
  enabled: boolean
  parameters: LinkMarks['trackingParameters']
}

/** Composed once for all recipients: JSON that can be kept. */
export interface PreparedLine {
  /** The platform's messages with tags, and markers where tracked links will stand. */
  messages: LineJson[]
  /** Where the tracked links lead, in the order of their places. */
  links: string[]
  /** Whether people get different messages: else one hand-over may carry hundreds. */
  isPersonal: boolean
  /** What it writes of the recipient's event and coupon. */
  uses: { event: boolean; coupon: boolean }
}

/** Of content that was saved: its Flex can be read. Not inside a transaction. */
export async function prepareLineMessages(
  scope: MerchantScope,
  content: LineMessageContent,
  { tracking, contentId }: { tracking: LineTracking; contentId: string },
): Promise<PreparedLine> {
  const { messages, links } = numberLinks(composeLine(content), {
    isTracked: tracking.enabled,
    trackingParameters: tracking.parameters,
    contentId,
    medium: 'line',
  })
  const templates = textsWithTags(messages).map(({ text }) => text)
  const uses = await variablesUsed(scope, [...templates, ...links])
  return { messages, links, isPersonal: links.length > 0 || templates.length > 0, uses }
}

/** The event tags that would stay empty without their event, and whether it shows a coupon. */
export async function variablesOfLine(scope: MerchantScope, content: LineMessageContent & { id: string }) {
  const tracking = { enabled: true, parameters: NO_PARAMETERS }
  const { messages, links, uses } = await prepareLineMessages(scope, content, { tracking, contentId: content.id })
  const templates = textsWithTags(messages).map(({ text }) => text)
  return { needs: [...(await eventFieldsNeeded(scope, [...templates, ...links]))], coupon: uses.coupon }
}

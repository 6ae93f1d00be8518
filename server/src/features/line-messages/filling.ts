import type { LineJson } from '@okaeri/contract/line-messages/composing'
import { PlatformMessage } from '@okaeri/contract/line-messages/platform'
import { textsWithTags, withTexts } from '@okaeri/contract/line-messages/texts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { type Filled, fillTexts, type MessageData } from '../email-rendering/index.ts'
import { placeLinks } from './links.ts'
import type { PreparedLine } from './preparation.ts'

export interface LinePerson {
  data: MessageData
  /** The address by which this person's tap on a link is known. */
  linkTo(position: number): string
}
/** The platform's messages of one person, or why there are none: `messages.0.text: too_long`, or the template's own error. */
export type FilledLine = { messages: LineJson[] } | { failure: string; isTooCostly: boolean }

/**
 * Fills in for the first of these people, in their order: as many as one call may cost, and at least one. What LINE would refuse is a failure of
 * that person alone: it is counted as LINE counts, after filling in. Throws a `TemplateError` for what is at fault for everybody.
 */
export async function fillLineMessages(
  scope: Pick<MerchantScope, 'context' | 'merchantId'>,
  prepared: Pick<PreparedLine, 'messages'>,
  people: readonly LinePerson[],
): Promise<FilledLine[]> {
  const sources = textsWithTags(prepared.messages).map(({ text }) => text)
  const filled: Filled[] =
    sources.length === 0
      ? people.map(() => ({ texts: [] }))
      : await fillTexts(scope, { sources, recipients: people.map(({ data }) => data) })
  return filled.map((one, at) => {
    if ('failure' in one) return { failure: one.failure.message, isTooCostly: one.failure.fault !== 'broken' }
    const { linkTo } = people[at] as LinePerson
    return checked(withTexts(prepared.messages, one.texts, (text) => placeLinks(text, linkTo)))
  })
}

function checked(messages: LineJson[]): FilledLine {
  for (const [at, message] of messages.entries()) {
    const issue = PlatformMessage.safeParse(message).error?.issues[0]
    if (issue) return { failure: `${['messages', at, ...issue.path].join('.')}: ${issue.message}`, isTooCostly: false }
  }
  return { messages }
}

import type { LineJson } from '@okaeri/contract/line-messages/composing'
import { PlatformMessage } from '@okaeri/contract/line-messages/platform'
import { textsWithTags, withTexts } from '@okaeri/contract/line-messages/texts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { fillTexts, type MessageData, TemplateError } from '../email-rendering/index.ts'
import { placeLinks } from './links.ts'
import type { PreparedLine } from './preparation.ts'

export interface LinePerson {
  data: MessageData
  /** The address by which this person's tap on a link is known. */
  linkTo(position: number): string
}
/** The platform's messages of one person, or why there are none: `messages.0.text: too_long`, or the template's own error. */
export type FilledLine = { messages: LineJson[] } | { failure: string }

/**
 * Fills in for each of these people, in their order. What LINE would refuse is a failure of that person alone: it is counted as LINE counts,
 * after filling in.
 */
export async function fillLineMessages(
  scope: Pick<MerchantScope, 'context' | 'merchantId'>,
  prepared: Pick<PreparedLine, 'messages'>,
  people: readonly LinePerson[],
): Promise<FilledLine[]> {
  const sources = textsWithTags(prepared.messages).map(({ text }) => text)
  const texts = sources.length === 0 ? people.map(() => ({ texts: [] })) : await fillAll(scope, sources, people)
  return people.map((person, at) => {
    const one = texts[at]
    if (!one || 'failure' in one) return { failure: one?.failure.message ?? 'not filled in' }
    return checked(placeLinks(withTexts(prepared.messages, one.texts), person.linkTo))
  })
}

type Texts = { texts: string[] } | { failure: { message: string } }

/** A thread answers for the first of them: as many as one call may cost. */
async function fillAll(
  scope: Pick<MerchantScope, 'context' | 'merchantId'>,
  sources: readonly string[],
  people: readonly LinePerson[],
): Promise<Texts[]> {
  const filled: Texts[] = []
  while (filled.length < people.length) {
    const recipients = people.slice(filled.length).map(({ data }) => data)
    const some = await fillTexts(scope, { sources, recipients }).catch((error: unknown): Texts[] => {
      if (!(error instanceof TemplateError)) throw error
      // Not even its time can be told: the content is at fault, for everyone.
      return recipients.map(() => ({ failure: { message: error.message } }))
    })
    filled.push(...some)
  }
  return filled
}

function checked(messages: LineJson[]): FilledLine {
  for (const [at, message] of messages.entries()) {
    const issue = PlatformMessage.safeParse(message).error?.issues[0]
    if (issue) return { failure: `${['messages', at, ...issue.path].join('.')}: ${issue.message}` }
  }
  return { messages }
}

import type { LineMessage } from '../../../integrations/line/index.ts'
import type { ClaimedRow, FilledRow } from '../../deliveries/index.ts'
import { fillLineMessages } from '../../line-messages/index.ts'
import type { Made } from '../filling.ts'
import { recipientPart, type Shared } from '../recipient.ts'

/** A claimed row with what it says to this recipient alone. */
export interface FilledLine extends FilledRow {
  messages: readonly LineMessage[]
  /** What lists show of it. */
  words: string | null
}

/** Fills in a message for each of these rows, with links that tell who follows them. */
export async function makeMessages(
  open: Shared & { content: { messages: LineMessage[] }; linkOf: (lineUserId: string) => string },
  rows: readonly ClaimedRow[],
): Promise<Made<FilledLine>[]> {
  const { scope } = open.outgoing
  const people = rows.map((row) => {
    const { token, data } = recipientPart(open, row)
    const ownLink = `${scope.context.settings.publicUrl}/c/${token}-`
    const line = { link_url: open.linkOf(row.address) }
    return { data: { ...open.shared, ...data, line }, ownLink, linkTo: (position: number) => `${ownLink}${position}` }
  })
  const filled = await fillLineMessages(scope, open.content, people)
  return filled.map((one, at) => {
    if ('failure' in one) return one
    const row = rows[at] as ClaimedRow
    const person = people[at]
    return {
      row,
      messages: one.messages,
      words: wordsOf(one.messages, person?.ownLink ?? '', person?.data.line.link_url),
    }
  })
}

const MAX_WORDS = 100

/** The first words of the first message that has any. A link that tells who follows it is for its recipient alone, and so is the chat's. */
function wordsOf(messages: readonly LineMessage[], ownLink: string, chatLink = ''): string | null {
  const said = messages
    .map((message) => message['text'] ?? message['altText'])
    .find((words) => typeof words === 'string')
  if (said === undefined) return null
  const [begin = '', ...afterLinks] = (said as string).split(ownLink)
  const words = [begin, ...afterLinks.map((text) => text.replace(/^\d+/, ''))].join('')
  const shown = chatLink === '' ? words : words.replaceAll(chatLink, '')
  return [...shown.trim()].slice(0, MAX_WORDS).join('')
}

import type { ClaimedRow, FilledRow } from '../../deliveries/index.ts'
import type { LineTemplate } from '../../line-messages/index.ts'
import type { Made } from '../filling.ts'
import { recipientPart, type Shared } from '../recipient.ts'

/** A claimed row with what it says to this recipient alone. */
export interface FilledLine extends FilledRow {
  /** As JSON. */
  messages: string
  /** What lists show of it. */
  words: string | null
}

/** Fills in a message for each of these rows, with links that tell who follows them. */
export async function makeMessages(
  open: Shared & { template: LineTemplate; linkOf: (lineUserId: string) => string },
  rows: readonly ClaimedRow[],
): Promise<Made<FilledLine>[]> {
  const { scope } = open.outgoing
  const people = rows.map((row) => {
    const { token, data } = recipientPart(open, row)
    const ownLink = `${scope.context.settings.publicUrl}/c/${token}-`
    const line = { link_url: open.linkOf(row.address) }
    return { data: { ...open.shared, ...data, line }, linkTo: (position: number) => `${ownLink}${position}` }
  })
  const filled = await open.template.fill(people)
  return filled.map((one, at) => {
    if ('failure' in one) return one
    const words = firstWords(one.words, people[at]?.data.line.link_url)
    return { row: rows[at] as ClaimedRow, messages: one.json, words }
  })
}

const MAX_WORDS = 100

/** The link in the chat is for its recipient alone. */
const firstWords = (words: string | null, chatLink = ''): string | null =>
  words === null
    ? null
    : [...(chatLink === '' ? words : words.replaceAll(chatLink, '')).trim().slice(0, MAX_WORDS * 2)]
        .slice(0, MAX_WORDS)
        .join('')

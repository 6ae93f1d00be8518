import type { ClaimedRow, FilledRow } from '../../deliveries/index.ts'
import type { LinePerson, LineTemplate } from '../../line-messages/index.ts'
import type { FilledOrFailure } from '../filling.ts'
import { recipientPart, type Shared } from '../recipient.ts'

/** A claimed row with what it says to this recipient alone. */
export interface FilledLine extends FilledRow {
  /** As JSON. */
  messages: string
  /** What lists show of it. */
  words: string | null
}

type Open = Shared & { template: LineTemplate; linkOf: (lineUserId: string) => string }

/** Fills in a message for each of these rows, with links that tell who follows them. */
export async function makeMessages(open: Open, rows: readonly ClaimedRow[]): Promise<FilledOrFailure<FilledLine>[]> {
  const filled = await open.template.fill(rows.map((row) => personOf(open, row)))
  return filled.map((one, at) => {
    if ('failure' in one) return one
    const row = rows[at] as ClaimedRow
    return { row, messages: one.json, words: firstWords(one.words, open.linkOf(row.address)) }
  })
}

function personOf(open: Open, row: ClaimedRow): LinePerson {
  const { token, data } = recipientPart(open, row)
  const ownLink = `${open.outgoing.scope.context.settings.publicUrl}/c/${token}-`
  const line = { link_url: open.linkOf(row.address) }
  return { data: { ...open.shared, ...data, line }, linkTo: (position) => `${ownLink}${position}` }
}

const MAX_WORDS = 100

/** The link in the chat is for its recipient alone. */
const firstWords = (words: string | null, chatLink: string): string | null =>
  words === null ? null : firstSigns((chatLink === '' ? words : words.replaceAll(chatLink, '')).trim(), MAX_WORDS)

/** The first so many characters; one outside the basic plane, which is two in a string, is not parted. */
function firstSigns(text: string, count: number): string {
  let end = 0
  for (let signs = 0; signs < count && end < text.length; signs += 1)
    end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1
  return text.slice(0, end)
}

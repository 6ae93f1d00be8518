import type { ClaimedRow, FilledRow } from '../../deliveries/index.ts'
import { fillMails } from '../../email-rendering/index.ts'
import type { Made } from '../filling.ts'
import { type RecipientPart, recipientPart } from '../recipient.ts'
import { languageFor, languagesOf, type OpenLanguage, type OpenMail } from './languages.ts'

/** A claimed row with what its mail says to this recipient alone. */
export interface FilledMail extends FilledRow, RecipientPart {
  /** What only the engine can say, by number. */
  texts: readonly string[]
}

/** Has the texts of mails made that more than values stand in, in a thread of the template's own: each language by itself. */
export async function makeTexts(open: OpenMail, rows: readonly ClaimedRow[]): Promise<Made<FilledMail>[]> {
  const made = new Map<ClaimedRow, Made<FilledMail>>()
  for (const language of languagesOf(open)) {
    const its = rows.filter((row) => languageFor(open, row) === language)
    for (const [at, one] of (await makeTextsIn(open, language, its)).entries()) made.set(its[at] as ClaimedRow, one)
  }
  // In their order, up to the first that was not made: the rest comes again.
  const answered: Made<FilledMail>[] = []
  for (const row of rows) {
    const one = made.get(row)
    if (!one) break
    answered.push(one)
  }
  return answered
}

async function makeTextsIn(
  open: OpenMail,
  language: OpenLanguage,
  rows: readonly ClaimedRow[],
): Promise<Made<FilledMail>[]> {
  if (rows.length === 0) return []
  const parts = rows.map((row) => recipientPart(language, row))
  // Only values stand in it.
  if (!language.needsFilling)
    return parts.map((part, at) => ({ ...part, row: rows[at] as ClaimedRow, texts: NO_TEXTS }))
  const recipients = parts.map(({ data }) => data)
  const filled = await fillMails(open.outgoing.scope, { mail: language.mail, recipients })
  return filled.map((one, at) =>
    'texts' in one
      ? { ...(parts[at] as RecipientPart), row: rows[at] as ClaimedRow, texts: one.texts }
      : { failure: one.failure.message, isTooCostly: one.failure.fault !== 'broken' },
  )
}
const NO_TEXTS: readonly string[] = []

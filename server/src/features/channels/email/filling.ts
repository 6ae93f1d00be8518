import type { ClaimedRow, FilledRow } from '../../deliveries/index.ts'
import { fillMails } from '../../email-rendering/index.ts'
import type { Made } from '../filling.ts'
import { type RecipientPart, recipientPart } from '../recipient.ts'
import type { OpenMail } from './open-mail.ts'

/** A claimed row with what its mail says to this recipient alone. */
export interface FilledMail extends FilledRow, RecipientPart {
  /** What only the engine can say, by number. */
  texts: readonly string[]
}

/** Has the texts of mails made that more than values stand in, in a thread of the template's own. */
export async function makeTexts(open: OpenMail, rows: readonly ClaimedRow[]): Promise<Made<FilledMail>[]> {
  const parts = rows.map((row) => recipientPart(open, row))
  const recipients = parts.map(({ data }) => data)
  const filled = await fillMails(open.outgoing.scope, { mail: open.mail, recipients })
  return filled.map((one, at) =>
    'texts' in one
      ? { ...(parts[at] as RecipientPart), row: rows[at] as ClaimedRow, texts: one.texts }
      : { failure: one.failure.message, isTooCostly: one.failure.fault !== 'broken' },
  )
}

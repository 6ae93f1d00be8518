import { type ClaimedRow, type FilledRow, type Filling, failed } from '../../deliveries/index.ts'
import { type Filled, fillMails, TemplateError } from '../../email-rendering/index.ts'
import type { OpenMail } from './open-mail.ts'
import { type RecipientPart, recipientPart } from './recipient.ts'

/** A claimed row with what its mail says to this recipient alone. */
export interface FilledMail extends FilledRow, RecipientPart {
  /** What only the engine can say, by number. */
  texts: readonly string[]
}

/** One recipient's data may be absurd; after so many it is the template, and the message has failed for all. */
const MAX_TOO_COSTLY = 3

/**
 * Has the texts of mails made that more than values stand in, many recipients at a time, in a thread of the template's own. A template that
 * takes more than a mail may costs its own message alone: what is left of it fails at once, and nothing is tried for each recipient.
 */
export function createFilling(open: OpenMail): (rows: readonly ClaimedRow[]) => Promise<Filling<FilledMail>> {
  const { mail, outgoing } = open
  const { scope } = outgoing
  let tooCostly = 0
  let givenUp: string | null = null
  return async (rows) => {
    const done: Filling<FilledMail> = { filled: [], failed: [], rest: [], givenUp: null }
    if (rows.length === 0) return done
    const parts = rows.map((row) => recipientPart(open, row))
    const answer: Filled[] | TemplateError =
      givenUp === null
        ? await fillMails(scope, { mail, recipients: parts.map(({ data }) => data) }).catch(onlyTooCostly)
        : []
    if (answer instanceof TemplateError) givenUp = answer.message
    const texts = answer instanceof TemplateError ? [] : answer
    for (const [at, row] of rows.entries()) {
      const one = texts[at]
      if (!one) {
        if (givenUp === null) done.rest.push(row)
        else done.failed.push(failed(row.id, 'content', givenUp))
        continue
      }
      if ('texts' in one) {
        done.filled.push({ ...(parts[at] as RecipientPart), row, texts: one.texts })
        continue
      }
      done.failed.push(failed(row.id, 'content', one.failure.message))
      if (one.failure.fault !== 'broken') tooCostly += 1
      if (tooCostly >= MAX_TOO_COSTLY) givenUp = one.failure.message
    }
    return { ...done, givenUp }
  }
}

const onlyTooCostly = (error: unknown): TemplateError => {
  if (error instanceof TemplateError) return error
  throw error
}

import { type ClaimedRow, type FilledRow, type FillingResult, failedResult } from '../deliveries/index.ts'
import { TemplateError } from '../email-rendering/index.ts'

/** One recipient's data may be absurd; after so many it is the template, and the message has failed for all. */
const MAX_TOO_COSTLY = 3

/** What filling in made for one recipient, or why nothing. */
export type FilledOrFailure<F> = F | { failure: string; isTooCostly: boolean }

/**
 * Fills in for many recipients at a time. A template that takes more than a message may costs its own message alone: what is left of it fails
 * at once, and nothing is tried for each recipient. `make` answers for the first of the rows, in their order, and throws a
 * {@link TemplateError} for what is wrong for all recipients.
 */
export function createFilling<F extends FilledRow>(
  make: (rows: readonly ClaimedRow[]) => Promise<FilledOrFailure<F>[]>,
): (rows: readonly ClaimedRow[]) => Promise<FillingResult<F>> {
  let tooCostly = 0
  let givenUp: string | null = null
  return async (rows) => {
    const done: FillingResult<F> = { filled: [], failed: [], rest: [], givenUp: null }
    if (rows.length === 0) return done
    const made = givenUp === null ? await make(rows).catch(onlyTemplateErrors) : []
    if (made instanceof TemplateError) givenUp = made.message
    for (const [at, row] of rows.entries()) {
      const one = made instanceof TemplateError ? undefined : made[at]
      if (!one) {
        if (givenUp === null) done.rest.push(row)
        else done.failed.push(failedResult(row.id, 'content', givenUp))
      } else if ('failure' in one) {
        done.failed.push(failedResult(row.id, 'content', one.failure))
        if (one.isTooCostly) tooCostly += 1
        if (tooCostly >= MAX_TOO_COSTLY) givenUp = one.failure
      } else done.filled.push(one)
    }
    return { ...done, givenUp }
  }
}

const onlyTemplateErrors = (error: unknown): TemplateError => {
  if (error instanceof TemplateError) return error
  throw error
}

import { troubleOf } from '../../kernel/database-trouble.ts'
import { AppError } from '../../kernel/errors.ts'
import { isBrokenOff } from '../../kernel/statement-limits.ts'

/**
 * The database is away, overloaded, or has kept us waiting for what somebody else holds; or the threads that render mails have no time, or are
 * closed because the process stops: nothing is wrong with what was being done, and the same will work later.
 */
export const isOutage = (error: unknown): boolean =>
  (error instanceof AppError && error.reason === 'unavailable') || (troubleOf(error) !== null && !isBrokenOff(error))

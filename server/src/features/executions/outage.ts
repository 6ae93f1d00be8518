import { troubleOf } from '../../kernel/database-trouble.ts'
import { AppError } from '../../kernel/errors.ts'
import { isBrokenOff } from '../../kernel/statement-limits.ts'

/**
 * The database is away, overloaded, or kept us waiting for a lock; or the threads that render mails are busy, or closed because the process
 * stops: the work itself has no fault, and the same will work later.
 */
export const isOutage = (error: unknown): boolean =>
  (error instanceof AppError && error.reason === 'unavailable') || (troubleOf(error) !== null && !isBrokenOff(error))

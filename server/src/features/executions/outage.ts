import { troubleOf } from '../../kernel/database/database-trouble.ts'
import { AppError } from '../../kernel/errors.ts'
import { isBrokenOff } from '../../kernel/database/statement-limits.ts'

/**
 * The database is away, overloaded or waited too long for a lock; or the threads that render mails are busy, or closed because the
 * process stops; or an operator has taken the app's credentials out. The work itself is fine and will succeed later.
 */
export const isOutage = (error: unknown): boolean =>
  (error instanceof AppError && (error.reason === 'unavailable' || error.reason === 'store_platform_not_set_up')) ||
  (troubleOf(error) !== null && !isBrokenOff(error))

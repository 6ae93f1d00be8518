import { troubleOf } from '../../kernel/database-trouble.ts'
import { isBrokenOff } from '../../kernel/statement-limits.ts'

/** The database is away, overloaded, or has kept us waiting for what somebody else holds: nothing is wrong with what was being done, and the same will work later. */
export const isOutage = (error: unknown): boolean => troubleOf(error) !== null && !isBrokenOff(error)

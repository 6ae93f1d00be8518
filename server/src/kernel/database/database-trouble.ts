/** The database is not available now: stopped, starting, unreachable, or read only. The same call will work later. */
export class DatabaseAwayError extends Error {
  override readonly name = 'DatabaseAwayError'
  /** The database's or the system's own code. */
  readonly code: string | undefined
  constructor(cause: unknown) {
    super(`the database is away: ${cause instanceof Error ? cause.message || codeOf(cause) : String(cause)}`, { cause })
    this.code = codeOf(cause)
  }
}

/** Trouble of the database itself, not of the statement. */
export type DatabaseTrouble = 'database_away' | 'database_busy' | 'disk_full'

const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined

/** An error of a Citus node about rows passed on to it arrives without its code, as an internal error. */
const PASSED_ON = 'XX000'
const ITS_CODES: readonly (readonly [RegExp, string])[] = [
  [/^duplicate key value violates unique constraint/, '23505'],
  [/violates check constraint/, '23514'],
  [/violates not-null constraint/, '23502'],
  [/violates foreign key constraint/, '23503'],
  [/^deadlock detected/, '40P01'],
]

/** The error with PostgreSQL's own code. Retries and messages depend on the code. */
export function withItsCode(error: Error): Error {
  if (codeOf(error) !== PASSED_ON) return error
  const [, code] = ITS_CODES.find(([words]) => words.test(error.message)) ?? []
  return code === undefined ? error : Object.assign(error, { code })
}

/** PostgreSQL's classes: 08 connection, 57P0x shut down or starting, 57P05 idle too long, 25006 read only (a failover). */
const AWAY_STATES = /^(08|57P0[1235]|25006)/
/** System codes (ECONNREFUSED, ETIMEDOUT, ENOTFOUND …), which never look like PostgreSQL's five characters. */
const SYSTEM = /^E[A-Z_]+$/
/** pg has no codes for these. A server that cannot start another process gives no valid answer to a TLS request. */
const BROKEN =
  /connection terminated|error establishing an SSL connection|connection error|not queryable|client was closed|timeout expired|query read timeout|LISTEN\/NOTIFY/i

/** Whether an error of a connection or a statement means that the database is away. */
export function saysAway(error: unknown): boolean {
  const code = codeOf(error)
  if (code !== undefined) return AWAY_STATES.test(code) || SYSTEM.test(code)
  return error instanceof Error && BROKEN.test(error.message)
}

/** No connection is free: 53300, and the pool's own message. */
const NO_CONNECTION = /^timeout exceeded when trying to connect/

/** The pool's message for a connection that was not made in time, or broke before it was used. */
const NOT_CONNECTED = /^Connection terminated/

/** Null: the error is about the statement. */
export function troubleOf(error: unknown): DatabaseTrouble | null {
  if (error instanceof DatabaseAwayError) return 'database_away'
  if (error instanceof AggregateError) {
    const troubles = error.errors.map(troubleOf)
    return troubles.every((trouble) => trouble !== null) ? (troubles[0] ?? null) : null
  }
  const code = codeOf(error)
  // Also for a connection that is not watched: only PostgreSQL has codes of this form.
  if (code !== undefined && AWAY_STATES.test(code)) return 'database_away'
  if (code === '53100' || code === 'ENOSPC' || code === 'EDQUOT') return 'disk_full'
  // 53 resources (connections, memory), 57014 statement timeout, 55P03 lock timeout, 40 serialization failure or deadlock.
  if (code !== undefined && /^(53|57014|55P03|40001|40P01)/.test(code)) return 'database_busy'
  if (error instanceof Error && NO_CONNECTION.test(error.message)) return 'database_busy'
  if (error instanceof Error && NOT_CONNECTED.test(error.message)) return 'database_away'
  return null
}

/** The same call may be retried later, unchanged: nothing is wrong with it. */
export const isDatabaseAway = (error: unknown): boolean => troubleOf(error) === 'database_away'

/** As {@link isDatabaseAway}, also if it has no space or no connection left: the failed work is not the cause. */
export const isOutage = (error: unknown): boolean => {
  const trouble = troubleOf(error)
  return trouble === 'database_away' || trouble === 'disk_full' || (trouble !== null && isWithoutResources(error))
}
const isWithoutResources = (error: unknown): boolean =>
  codeOf(error)?.startsWith('53') === true || (error instanceof Error && NO_CONNECTION.test(error.message))

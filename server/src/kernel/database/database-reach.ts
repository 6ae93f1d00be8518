import { DatabaseAwayError } from './database-trouble.ts'
import { NotReadyError, StartupError } from '../errors.ts'

/**
 * System codes: nothing listens, or nothing is reachable; a name that does not exist (ENOTFOUND) is a mistake in the configuration. PostgreSQL
 * codes: connection lost (08), starting or shutting down (57P0x), all connections taken (53300), read only during a failover (25006).
 */
const NOT_NOW =
  /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|EHOSTDOWN|ENETUNREACH|ENETDOWN|EAI_AGAIN|08...|57P0[1235]|53300|25006)$/
/** pg has no codes for these. */
const BROKEN_OFF = /connection terminated|error establishing an SSL connection|timeout expired|timeout exceeded/i
/** PostgreSQL: authentication (28), unknown database (3D), missing privileges (42501). */
const REFUSED_STATE = /^(28...|3D000|42501)$/

/**
 * Explains a database error at the start: {@link NotReadyError} if waiting helps, {@link StartupError} if the configuration or the database has
 * to be corrected; any other error unchanged. The password of the address is not shown.
 */
export function explainDatabase(error: unknown, url: string): unknown {
  if (!(error instanceof Error) || error instanceof StartupError || !url) return error
  const { host, pathname } = new URL(url)
  const { code = '', message } = error as NodeJS.ErrnoException
  const what = `the database ${pathname.slice(1)} at ${host} (${message || code})`
  if (code !== 'ENOTFOUND' && (NOT_NOW.test(code) || error instanceof DatabaseAwayError || BROKEN_OFF.test(message)))
    return new NotReadyError(`Cannot reach ${what}`)
  if (/certificate/i.test(message))
    return new StartupError(
      `Cannot trust the database ${pathname.slice(1)} at ${host} (${message.split(';')[0]}): add sslmode=verify-full and sslrootcert=<file with its certificate, or its issuer's> to DATABASE_URL, behind a question mark; sslmode=no-verify takes any certificate.`,
    )
  if (code === 'ENOTFOUND' || REFUSED_STATE.test(code) || /SSL|SASL|SCRAM/.test(message))
    return new StartupError(`Cannot reach ${what}; check DATABASE_URL.`)
  if (code === '53100') return new StartupError(`The disk of ${what} is full; make room on it.`)
  return error.cause === undefined ? error : giveUnlessExplained(error, explainDatabase(error.cause, url))
}

const giveUnlessExplained = (error: Error, explained: unknown): unknown =>
  explained instanceof StartupError ? explained : error

import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino'
import { type DatabaseTrouble, isOutage, troubleOf } from './database/database-trouble.ts'
import { createThrottledReport, type Tally } from './throttled-report.ts'

export type { Logger }

/**
 * Structured lines on stdout, without tokens, passwords and cookies. While the database is away everything fails because of it: log calls with
 * such an error are counted, and reported in one line a minute.
 */
export function createLog(level: string, to?: DestinationStream): Logger {
  const outages = new Map<DatabaseTrouble, Outage>()
  const settings: LoggerOptions = {
    level,
    serializers: { error: serializeError, answer: withoutAddresses },
    hooks: {
      logMethod(args, method) {
        const { error, over } = detailsOf(args[0])
        if (over) outages.get(over)?.tally.reset()
        const trouble = isOutage(error) ? troubleOf(error) : null
        if (trouble === null) return method.apply(this, args)
        const outage = outages.get(trouble) ?? outageOf(trouble)
        outages.set(trouble, outage)
        outage.last = error instanceof Error ? error.message : ''
        outage.tally.add()
      },
    },
    redact: {
      paths: [
        'req.headers.authorization',
        'req.headers.cookie',
        '*.password',
        '*.access_token',
        '*.refresh_token',
        '*.token',
      ],
      censor: '[removed]',
    },
  }
  const log = to ? pino(settings, to) : pino(settings)
  const outageOf = (trouble: DatabaseTrouble): Outage => {
    const outage: Outage = {
      last: '',
      tally: createThrottledReport((failures) => log.error({ trouble, failures, last: outage.last }, words[trouble])),
    }
    return outage
  }
  return log
}

interface Outage {
  tally: Tally
  /** The last error's message. */
  last: string
}

const words: Record<DatabaseTrouble, string> = {
  database_away: 'the database is away; what needs it waits, and goes on by itself',
  database_busy: 'the database has no connection or memory left',
  disk_full: 'the disk is full: nothing can be stored',
}

/** `over`: the outage that a line says has ended. */
const detailsOf = (first: unknown): { error?: unknown; over?: DatabaseTrouble } =>
  typeof first === 'object' && first !== null ? first : {}

/** An error's message and stack, without the objects that libraries attach to it. */
function serializeError(error: unknown): unknown {
  if (!(error instanceof Error)) return withoutAddresses(error)
  const { name, message, stack, cause } = error
  const code = 'code' in error ? error.code : undefined
  return {
    name,
    message: withoutAddresses(message),
    code,
    stack: withoutAddresses(stack),
    ...(cause === undefined ? {} : { cause: serializeError(cause) }),
  }
}

/** Lengths as in RFC 5321, so that a long text is looked through quickly. */
const ADDRESS = /[^\s/<>()[\]"'`:;,=@]{1,64}@[^\s/<>()[\]"'`:;,=@]{1,255}/g
/** Mail servers repeat in their answers whom a mail was for. */
const withoutAddresses = (text: unknown): unknown =>
  typeof text === 'string' ? text.replace(ADDRESS, '•••@•••') : text

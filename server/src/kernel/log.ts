import { type Logger, pino } from 'pino'

export type { Logger }

/** Structured lines on stdout. Tokens, passwords and cookies never reach it. */
export function createLog(level: string): Logger {
  return pino({
    level,
    serializers: { error: tellError },
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
  })
}

/** An error's own words and where it came from; not the whole objects that libraries hang on it. */
function tellError(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const { name, message, stack, cause } = error
  const code = 'code' in error ? error.code : undefined
  return { name, message, code, stack, ...(cause === undefined ? {} : { cause: tellError(cause) }) }
}

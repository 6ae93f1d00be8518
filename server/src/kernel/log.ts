import { type Logger, pino } from 'pino'

export type { Logger }

/** Structured lines on stdout. Tokens, passwords and cookies never reach it. */
export function createLog(level: string): Logger {
  return pino({
    level,
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

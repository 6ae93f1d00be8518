import type { DatabaseSync } from 'node:sqlite'

/** The sandbox's time: the machine's clock plus an offset that only grows. */
export interface SandboxClock {
  /** The sandbox's present instant. */
  now(): Date
  /** How far the sandbox is ahead of the machine, in milliseconds. */
  offsetMs(): number
  /** Calls the listener after every move, in the same tick, so that code that waits for a time can look again. */
  onMove(listener: () => void): void
}

export interface MovableClock extends SandboxClock {
  advance(ms: number): void
  set(to: Date): void
}

// Beyond the year 9999 an ISO timestamp changes its shape and nothing downstream can read it.
const latestMs = Date.UTC(9999, 11, 31)

/**
 * The clock of one sandbox. Its offset is kept in the database, so a restart does not throw the sandbox back in time.
 * A move backwards is refused (error with `statusCode` 409): orders, mails and webhooks already carry later times.
 */
export function createClock(database: DatabaseSync): MovableClock {
  database.exec('CREATE TABLE IF NOT EXISTS clock (id INTEGER PRIMARY KEY CHECK (id = 1), offset_ms INTEGER NOT NULL)')
  database.exec('INSERT OR IGNORE INTO clock (id, offset_ms) VALUES (1, 0)')
  let offset = Number(database.prepare('SELECT offset_ms FROM clock WHERE id = 1').get()?.offset_ms ?? 0)
  const write = database.prepare('UPDATE clock SET offset_ms = ? WHERE id = 1')
  const listeners: (() => void)[] = []

  function advance(ms: number): void {
    if (!Number.isFinite(ms)) throw clockError(422, 'clock_invalid', 'The clock needs a number of milliseconds.')
    if (ms < 0) throw clockError(409, 'clock_backwards', 'The sandbox clock only moves forward.')
    const next = offset + Math.round(ms)
    if (Date.now() + next > latestMs)
      throw clockError(422, 'clock_invalid', 'The clock cannot go beyond the year 9999.')
    write.run(next)
    offset = next
    for (const listener of listeners) listener()
  }

  return {
    now: () => new Date(Date.now() + offset),
    offsetMs: () => offset,
    onMove: (listener) => void listeners.push(listener),
    advance,
    set(to) {
      const at = to.getTime()
      if (Number.isNaN(at)) throw clockError(422, 'clock_invalid', 'That is not a time.')
      advance(at - (Date.now() + offset))
    },
  }
}

function clockError(statusCode: number, code: string, message: string): Error {
  return Object.assign(new Error(message), { statusCode, code })
}

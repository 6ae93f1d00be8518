import type { Context } from '../../../kernel/context.ts'

/** Why this process cannot send though it should. It continues once the cause is gone. */
export interface Stoppage {
  /** `departures`: what leaves cannot be noted, the disk of the data folder is full. `database`: the ledger cannot be written. */
  reason: 'departures' | 'database'
  detail: string
  since: Date
}

const stoppages = new WeakMap<Context, Stoppage>()

/** What health tells. Null while nothing is in the way. */
export const findStoppage = (context: Context): Stoppage | null => stoppages.get(context) ?? null

/** Said once in the log however often it is met. */
export function noteStoppage(context: Context, reason: Stoppage['reason'], error: unknown): void {
  const detail = error instanceof Error ? error.message : String(error)
  const known = stoppages.get(context)
  stoppages.set(context, { reason, detail, since: known?.since ?? context.clock.realNow() })
  if (known?.reason !== reason) context.log.error({ reason, detail }, 'sending stands; it goes on by itself')
}

export function endStoppage(context: Context, reason: Stoppage['reason']): void {
  const known = stoppages.get(context)
  if (known?.reason !== reason) return
  stoppages.delete(context)
  context.log.warn({ reason, since: known.since }, 'sending goes on')
}

/** The disk of the folder, or of the database (class 53), has no room, or may not be written. */
export function isOutOfRoom(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return ['ENOSPC', 'EDQUOT', 'EROFS', 'EIO', 'EACCES', 'EMFILE'].includes(code) || code.startsWith('53')
}

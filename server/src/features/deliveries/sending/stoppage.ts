import type { Context } from '../../../kernel/context.ts'

/** Why this process cannot send though it should. It continues once the cause is gone. */
export interface Stoppage {
  /** `departures`: what leaves cannot be noted, the disk of the data folder is full. `database`: the ledger cannot be written. */
  reason: 'departures' | 'database'
  detail: string
  since: Date
}

/** By reason: a disk that holds the data folder and the database may be met by both, in turn. `met`: last, by the machine's clock. */
const stoppages = new WeakMap<Context, Map<Stoppage['reason'], Stoppage & { met: number }>>()

/** While there is something to send it is tried every few seconds. Not met for so long, another process sent it, or there is nothing. */
const REMEMBERED_MS = 120_000

/** What health tells. Null while nothing is in the way. */
export function findStoppage(context: Context): Stoppage | null {
  const since = context.clock.realNow().getTime() - REMEMBERED_MS
  return [...(stoppages.get(context)?.values() ?? [])].find(({ met }) => met > since) ?? null
}

/** Said once in the log however often it is met. */
export function noteStoppage(context: Context, reason: Stoppage['reason'], error: unknown): void {
  const detail = error instanceof Error ? error.message : String(error)
  const all = stoppages.get(context) ?? new Map<Stoppage['reason'], Stoppage & { met: number }>()
  stoppages.set(context, all)
  const known = all.get(reason)
  const now = context.clock.realNow()
  all.set(reason, { reason, detail, since: known?.since ?? now, met: now.getTime() })
  if (!known) context.log.error({ reason, detail }, 'sending stands; it goes on by itself')
}

/** Only where something was sent, or noted to leave: a small write finds room on a full disk, and each try would report that it goes on. */
export function endStoppage(context: Context, reason: Stoppage['reason']): void {
  const known = stoppages.get(context)?.get(reason)
  if (!known) return
  stoppages.get(context)?.delete(reason)
  context.log.warn({ reason, since: known.since }, 'sending goes on')
}

/** The disk of the folder, or of the database (class 53), has no room, or may not be written. */
export function isOutOfRoom(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return ['ENOSPC', 'EDQUOT', 'EROFS', 'EIO', 'EACCES', 'EMFILE'].includes(code) || code.startsWith('53')
}

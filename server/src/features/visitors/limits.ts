import type { Context } from '../../kernel/context.ts'
import { countAttempt, type RateLimit } from '../../kernel/rate-limits.ts'

/** A page asks once in ten minutes; a person opens many at once. */
export const tokensOfPerson: RateLimit = { name: 'visitor_tokens', max: 60, windowSeconds: 600 }
/** Many visitors share the address of a mobile network or of an office. */
export const tokensByOrigin: RateLimit = { name: 'visitor_tokens_origin', max: 600, windowSeconds: 300 }

/** What one person can do by hand in a minute, with room for pages that ask by themselves. */
const callsOfVisitor: RateLimit = { name: 'visitor_calls', max: 240, windowSeconds: 60 }
/**
 * So many calls a minute of one visitor each process lets through without asking the database: nearly all visitors make fewer. With several
 * processes the limit is higher by as many for each.
 */
const FREE_CALLS = 30
const WINDOW_MS = callsOfVisitor.windowSeconds * 1000
/** Visitors counted at once in one process; beyond that all are counted in the database. */
const MAX_COUNTED = 200_000

interface Window {
  startedMs: number
  calls: Map<string, number>
}
const windows = new WeakMap<Context, Window>()

/** Counts a call of a visitor, or refuses it with 429. Answers null where there is nothing to wait for. */
export function countCall(context: Context, who: string): Promise<unknown> | null {
  const nowMs = context.clock.realNow().getTime()
  let window = windows.get(context)
  if (!window || nowMs >= window.startedMs + WINDOW_MS || nowMs < window.startedMs) {
    window = { startedMs: nowMs, calls: new Map() }
    windows.set(context, window)
  }
  const made = (window.calls.get(who) ?? 0) + 1
  if (made > 1 || window.calls.size < MAX_COUNTED) window.calls.set(who, made)
  if (made <= FREE_CALLS && window.calls.has(who)) return null
  return countAttempt(context, null, [[callsOfVisitor, who]])
}

const HOUR = 3600
const byOriginWithoutProof: RateLimit = { name: 'no proof origin', max: 20, windowSeconds: HOUR }
const byShopWithoutProof: RateLimit = { name: 'no proof shop', max: 100, windowSeconds: HOUR }
/**
 * Of forms that take anybody's address, sent without a solved challenge: by a browser that cannot solve one, or by a program (decision 182).
 * Each may become a mail to a stranger.
 */
export const withoutProof = ({ origin, shop }: { origin: string; shop: string }): [RateLimit, string][] => [
  [byOriginWithoutProof, origin],
  [byShopWithoutProof, shop],
]

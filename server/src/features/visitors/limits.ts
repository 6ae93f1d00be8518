import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import { isLoopbackHost } from '../../kernel/loopback.ts'
import { countAttempt, originOf, type RateLimit } from '../../kernel/rate-limits.ts'

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
/** Counted at once in one process. */
const MAX_COUNTED = 200_000

interface Window {
  startedMs: number
  counts: Map<string, number>
}
/** Counts in this process alone. Returns how often it was within the window, this time included; null where too many others are counted. */
function counterHere(windowMs: number): (context: Context, what: string) => number | null {
  const windows = new WeakMap<Context, Window>()
  return (context, what) => {
    const nowMs = context.clock.realNow().getTime()
    let window = windows.get(context)
    if (!window || nowMs >= window.startedMs + windowMs || nowMs < window.startedMs) {
      window = { startedMs: nowMs, counts: new Map() }
      windows.set(context, window)
    }
    const count = (window.counts.get(what) ?? 0) + 1
    if (count === 1 && window.counts.size >= MAX_COUNTED) return null
    window.counts.set(what, count)
    return count
  }
}
const callsHere = counterHere(callsOfVisitor.windowSeconds * 1000)

/** Counts a call of a visitor, or refuses it with 429. Returns null where there is nothing to wait for. */
export function countCall(context: Context, who: string): Promise<unknown> | null {
  const made = callsHere(context, who)
  if (made !== null && made <= FREE_CALLS) return null
  return countAttempt(context, null, [[callsOfVisitor, who]])
}

/**
 * What guests of one origin add in ten minutes, in each process: each is a row for good, and a program is as many guests as it wants. As many guests as
 * `tokensByOrigin` lets in have five each.
 */
export const MOST_ADDED_BY_GUESTS = 6000
const addedHere = counterHere(600_000)

/** Refuses with 429 what guests of this origin add beyond that. A proxy that does not say who asks looks like this machine: it is not counted. */
export function countGuestsAdding(context: Context, request: Pick<FastifyRequest, 'ip'>): void {
  if (isLoopbackHost(request.ip.replace(/^::ffff:/i, ''))) return
  if ((addedHere(context, originOf(request)) ?? 0) > MOST_ADDED_BY_GUESTS)
    throw new AppError('rate_limited', 'rate_limited', 'too many attempts; wait a little')
}

const HOUR = 3600
const byOriginWithoutProof: RateLimit = { name: 'no proof origin', max: 20, windowSeconds: HOUR }
const byShopWithoutProof: RateLimit = { name: 'no proof shop', max: 100, windowSeconds: HOUR }

export interface FormSent<T> {
  /** Limits of the one who sends it alone. */
  own: readonly [RateLimit, string][]
  origin: string
  merchantId: string
  isProved: boolean
  /** Answered. Throws where what came with it is wrong, as a challenge that is not solved. */
  check: () => Promise<T>
  /** Limits that others share: of the address that was typed, then of the shop. */
  ofAddress: readonly [RateLimit, string][]
  ofShop: readonly [RateLimit, string][]
}
/**
 * Counts a form that takes any address, and so may cause a mail to a stranger (decision 182). Limits shared with others are counted last, so
 * that a call without a valid proof does not use them up.
 */
export async function countForm<T>(
  context: Context,
  reply: FastifyReply | null,
  { own, origin, merchantId, isProved, check, ofAddress, ofShop }: FormSent<T>,
): Promise<T> {
  await countAttempt(context, reply, [...own, ...(isProved ? [] : [[byOriginWithoutProof, origin] as const])])
  const checked = await check()
  await countAttempt(context, reply, [
    ...ofAddress,
    ...(isProved ? [] : [[byShopWithoutProof, merchantId] as const]),
    ...ofShop,
  ])
  return checked
}

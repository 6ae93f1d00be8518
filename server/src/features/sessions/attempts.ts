import type { FastifyReply } from 'fastify'
import type { Context } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'

interface Limit {
  max: number
  windowMs: number
}
const MINUTE_MS = 60_000

/** What one address, or one machine, may do in a sliding window. Successful sign-ins do not count. */
const limits = {
  signInByAddress: { max: 10, windowMs: 5 * MINUTE_MS },
  signInByIp: { max: 100, windowMs: 5 * MINUTE_MS },
  resetByAddress: { max: 5, windowMs: 15 * MINUTE_MS },
  resetByIp: { max: 50, windowMs: 15 * MINUTE_MS },
  signUpByIp: { max: 30, windowMs: 10 * MINUTE_MS },
  tokenByIp: { max: 600, windowMs: 5 * MINUTE_MS },
  storeByIp: { max: 100, windowMs: 5 * MINUTE_MS },
  passwordByMember: { max: 10, windowMs: 5 * MINUTE_MS },
} as const satisfies Record<string, Limit>
export type LimitName = keyof typeof limits

/** Beyond this many keys the oldest are forgotten: memory stays bounded under a flood of invented addresses. */
const MAX_KEYS = 50_000
/** By process: with several API processes the limits are that many times as wide. */
const attempts = new WeakMap<Context, Map<string, number[]>>()

/**
 * Counts an attempt against each limit, or refuses with 429 and Retry-After when one of them is used up. Answers a function that
 * takes the attempt back: called when it turned out well.
 */
export function countAttempt(
  context: Context,
  reply: FastifyReply,
  keys: Partial<Record<LimitName, string>>,
): () => void {
  const nowMs = context.clock.realNow().getTime()
  const book = attempts.get(context) ?? new Map<string, number[]>()
  attempts.set(context, book)
  const entries = (Object.entries(keys) as [LimitName, string][]).map(([name, key]) => {
    const { max, windowMs } = limits[name]
    const id = `${name}:${key}`
    const times = (book.get(id) ?? []).filter((time) => time > nowMs - windowMs)
    return { id, times, waitMs: times.length >= max ? (times[0] ?? nowMs) + windowMs - nowMs : 0 }
  })
  const waitMs = Math.max(...entries.map((entry) => entry.waitMs))
  if (waitMs > 0) {
    reply.header('retry-after', Math.ceil(waitMs / 1000))
    throw new AppError('rate_limited', 'rate_limited', 'too many attempts; wait a little')
  }
  for (const { id, times } of entries) {
    // Set anew, so that the map is in order of use.
    book.delete(id)
    book.set(id, [...times, nowMs])
  }
  for (const id of book.keys()) {
    if (book.size <= MAX_KEYS) break
    book.delete(id)
  }
  return () => {
    for (const { id } of entries) {
      const times = book.get(id) ?? []
      const at = times.lastIndexOf(nowMs)
      if (at >= 0) times.splice(at, 1)
    }
  }
}

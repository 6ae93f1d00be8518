import type { FastifyReply } from 'fastify'
import type { Context } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'

const WINDOW_MS = 10 * 60_000
/** Requests of one machine, and for one address of one shop, in a window: nobody's mailbox is filled by a stranger. */
const MAX_BY_IP = 60
const MAX_BY_ADDRESS = 5
const MAX_KEYS = 20_000

/** By process: several API processes allow that many times as much. */
const books = new WeakMap<Context, Map<string, { since: number; count: number }>>()

/** Counts a request made on a storefront; refuses with 429 when there were too many. The same for known and unknown addresses. */
export function countStorefrontRequest(
  context: Context,
  reply: FastifyReply,
  from: { ip: string; address: string },
): void {
  const book = books.get(context) ?? new Map<string, { since: number; count: number }>()
  books.set(context, book)
  const now = context.clock.realNow().getTime()
  for (const [key, max] of [
    [`ip ${from.ip}`, MAX_BY_IP],
    [`address ${from.address}`, MAX_BY_ADDRESS],
  ] as const) {
    const known = book.get(key)
    const entry = known && now - known.since < WINDOW_MS ? known : { since: now, count: 0 }
    entry.count += 1
    book.delete(key)
    book.set(key, entry)
    if (entry.count > max) {
      reply.header('retry-after', Math.ceil((entry.since + WINDOW_MS - now) / 1000))
      throw new AppError('rate_limited', 'rate_limited', 'too many requests; wait a little')
    }
  }
  for (const key of book.keys()) {
    if (book.size <= MAX_KEYS) break
    book.delete(key)
  }
}

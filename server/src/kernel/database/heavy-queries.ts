import type { Context } from '../context.ts'
import { AppError } from '../errors.ts'
import type { MerchantScope } from '../merchant-scope.ts'

/** For queries that count customers for a second or longer: each holds a connection and keeps the database's processors busy. */
export interface FairQueue {
  /**
   * Runs it when it is the owner's turn; owners take turns. Throws `rate_limited` if too many of the owner wait already. Not run if the caller
   * has left meanwhile (`isGone`).
   */
  take<T>(owner: string, ask: () => Promise<T>, isGone?: () => boolean): Promise<T>
}

interface Waiting {
  begin: () => Promise<unknown>
  isGone: () => boolean
  giveUp: () => void
}

/** `each`: running per owner; `atOnce`: running in total; `maxWaiting`: waiting per owner. */
export function createFairQueue({
  each,
  atOnce,
  maxWaiting,
}: {
  each: number
  atOnce: number
  maxWaiting: number
}): FairQueue {
  const underWay = new Map<string, number>()
  let running = 0
  /** In the order of their turns. */
  const waiting = new Map<string, Waiting[]>()

  const countOf = (owner: string): number => underWay.get(owner) ?? 0
  function change(owner: string, by: 1 | -1): void {
    running += by
    const count = countOf(owner) + by
    if (count === 0) underWay.delete(owner)
    else underWay.set(owner, count)
  }

  function next(): { owner: string; one: Waiting } | null {
    for (const [owner, [one, ...rest]] of waiting) {
      if (!one || countOf(owner) >= each) continue
      waiting.delete(owner)
      // After all others.
      if (rest.length > 0) waiting.set(owner, rest)
      return { owner, one }
    }
    return null
  }

  function runNext(): void {
    while (running < atOnce) {
      const found = next()
      if (!found) return
      const { owner, one } = found
      if (one.isGone()) {
        one.giveUp()
        continue
      }
      change(owner, 1)
      void one.begin().then(() => {
        change(owner, -1)
        runNext()
      })
    }
  }

  return {
    take: (owner, ask, isGone = () => false) =>
      new Promise((resolve, reject) => {
        const before = waiting.get(owner) ?? []
        if (before.length >= maxWaiting)
          throw new AppError('rate_limited', 'rate_limited', 'too many at once; wait for the first answers')
        const one: Waiting = {
          isGone,
          begin: () => (async () => ask())().then(resolve, reject),
          giveUp: () => reject(new AppError('unavailable', 'unavailable', 'the caller no longer waits for it')),
        }
        waiting.set(owner, [...before, one])
        runNext()
      }),
  }
}

/** A page asks one or two at a time. Typing asks again before the last answer has come. */
const OF_ONE_MERCHANT = 2
const MAX_WAITING = 20

const turnsOf = new WeakMap<Context, FairQueue>()

/**
 * Runs a query when it is the merchant's turn. Together they leave half of the connections for quick queries. Not inside a transaction, which
 * would keep its locks meanwhile.
 */
export function runHeavyQuery<T>(scope: MerchantScope, ask: () => Promise<T>, isGone?: () => boolean): Promise<T> {
  const { context, merchantId } = scope
  const atOnce = Math.max(1, Math.floor(context.settings.databasePool / 2))
  const turns = turnsOf.get(context) ?? createFairQueue({ each: OF_ONE_MERCHANT, atOnce, maxWaiting: MAX_WAITING })
  turnsOf.set(context, turns)
  return turns.take(merchantId, ask, isGone)
}

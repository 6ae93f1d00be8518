import { setTimeout as sleep } from 'node:timers/promises'
import { stopwatch } from '../../kernel/clock.ts'
import type { Context } from '../../kernel/context.ts'
import { isOutage } from '../../kernel/database/database-trouble.ts'
import { newIds } from '../../kernel/ids.ts'
import { createThrottledReport } from '../../kernel/throttled-report.ts'
import { insertHits, type NewHit } from './queries.ts'

/** A caller waits at most this long for the hit to be stored. */
const STORE_WITHIN_MS = 2000
const MAX_BATCH = 1000
/** More than this waiting means the database has been away for long; further hits are refused at once. */
const MAX_WAITING = 50_000
/**
 * Hits of one delivery stored by one process per day: anyone with a link can request it endlessly, and each hit is a row. A forwarded mail is
 * opened less often than this. Further requests are answered as usual.
 */
export const MAX_HITS_A_DAY = 1000
/** Deliveries counted at a time; the least recently seen is dropped first. */
const MAX_COUNTED = 50_000
const DAY_MS = 86_400_000
const RETRY_MS = 100
const WATCH_MS = 200

interface Waiting {
  hit: NewHit
  age: () => number
  /** Null once the caller has been answered. */
  answer: ((stored: boolean) => void) | null
}

export interface HitQueue {
  /** True once the hit is committed, or above the limit; false if that did not happen within {@link STORE_WITHIN_MS}. */
  store(hit: NewHit): Promise<boolean>
}

/**
 * Group commit: while one statement runs, arriving hits wait together for the next. A caller gets `true` only after the commit, so a kill loses
 * no hit answered with `true`. A failed statement is retried with the same ids while a caller waits or the database is away, so a hit that was
 * stored but not confirmed is not stored twice.
 */
export function createHitQueue(context: Context): HitQueue {
  let waiting: Waiting[] = []
  let flushing: readonly Waiting[] = []
  let running = false
  const late = createThrottledReport((hits) =>
    context.log.error({ hits }, 'tracking hits could not be stored in time; they are kept in memory'),
  )
  const lost = createThrottledReport((hits) => context.log.error({ hits }, 'tracking hits are lost: too many wait'))

  const overDailyLimit = createThrottledReport((hits) =>
    context.log.warn({ hits }, 'hits of mails that were asked for too often are not kept'),
  )
  const isOverDailyLimit = createDailyCount()

  const giveUpOnOld = (): void => {
    let count = 0
    for (const entry of [...flushing, ...waiting]) {
      if (!entry.answer || entry.age() < STORE_WITHIN_MS) continue
      entry.answer(false)
      entry.answer = null
      count += 1
    }
    late.add(count)
  }

  const storeBatch = async (batch: readonly Waiting[]): Promise<void> => {
    const hits = batch.map(({ hit }) => hit)
    // All at once: the randomness of a single id costs as much as the rest of its request here.
    const ids = newIds(hits.length)
    for (;;) {
      try {
        await insertHits(context.db, ids, hits)
        for (const entry of batch) entry.answer?.(true)
        return
      } catch (error) {
        // While the database is away they are kept: the clicks were redirected, and only this process knows of them.
        if (!isOutage(error) && batch.every(({ answer }) => !answer)) {
          context.log.error({ hits: batch.length, error }, 'tracking hits are lost')
          return
        }
        await sleep(RETRY_MS)
      }
    }
  }

  const run = async (): Promise<void> => {
    running = true
    const watch = setInterval(giveUpOnOld, WATCH_MS)
    // Includes the other requests of this turn of the event loop.
    await new Promise(setImmediate)
    while (waiting.length > 0) {
      flushing = waiting.slice(0, MAX_BATCH)
      waiting = waiting.slice(MAX_BATCH)
      await storeBatch(flushing)
    }
    flushing = []
    clearInterval(watch)
    running = false
  }

  return {
    store: (hit) =>
      new Promise((resolve) => {
        if (isOverDailyLimit(hit)) {
          overDailyLimit.add()
          return resolve(true)
        }
        if (waiting.length >= MAX_WAITING) {
          lost.add()
          return resolve(false)
        }
        waiting.push({ hit, age: stopwatch(), answer: resolve })
        if (!running) void run()
      }),
  }
}

function createDailyCount(): (hit: Pick<NewHit, 'deliveryId' | 'at'>) => boolean {
  const counts = new Map<string, number>()
  let today = 0
  return ({ deliveryId, at }) => {
    const day = Math.floor(at.getTime() / DAY_MS)
    if (day !== today) counts.clear()
    today = day
    const count = (counts.get(deliveryId) ?? 0) + 1
    if (count === 1 && counts.size >= MAX_COUNTED) counts.delete(counts.keys().next().value as string)
    counts.set(deliveryId, count)
    return count > MAX_HITS_A_DAY
  }
}

import { setImmediate } from 'node:timers/promises'
import { stopwatch } from '../../kernel/clock.ts'
import type { Context } from '../../kernel/context.ts'
import { retriedTransaction } from '../../kernel/database/deadlocks.ts'
import { AppError } from '../../kernel/errors.ts'
import { merchantScope, type TransactionScope } from '../../kernel/merchant-scope.ts'
import { createThrottledReport } from '../../kernel/throttled-report.ts'
import { lockStorefrontSettings } from '../storefront-settings/index.ts'
import {
  type CartLine,
  deleteBeyond,
  insertViews,
  lockPermitted,
  selectOwnProducts,
  type NewView,
  upsertCartLines,
  type WholeCart,
} from './recording-queries.ts'

/** What one call of a page tells of a customer. */
export interface PageReport {
  merchantId: string
  customerId: string
  views: readonly { storeProductId: number; at: Date }[]
  /** All that lies in the cart; null: nothing is said of it. */
  cart: readonly { storeProductId: number; quantity: number }[] | null
  at: Date
}

/** A page waits at most this long; it keeps what was not stored, and tells it again. */
const STORE_WITHIN_MS = 2000
/** Calls of one merchant in one transaction. */
const MAX_BATCH = 500
/** Merchants whose calls are stored at the same time. */
const MERCHANTS_AT_ONCE = 4
const MAX_WAITING = 20_000
/** One shop's rush leaves room for the others. */
export const MAX_WAITING_OF_MERCHANT = 5000
/** Looks and carts of one customer a day in one process. A person does not look at more; a program would. */
export const MAX_TOLD_A_DAY = 1000
/** If a customer's day is fuller than this, only its newest products are kept. */
const BUSY_DAY = 100
const MAX_KEPT_PRODUCTS = 300
/** Customers counted at a time; who was first seen longest ago is dropped first. */
const MAX_COUNTED = 50_000
const DAY_MS = 86_400_000
const CLOCKS_APART_MS = 10 * 60_000

interface Waiting {
  report: PageReport
  isBusy: boolean
  done: () => void
  failed: (error: unknown) => void
}

export interface BehaviorQueue {
  /**
   * Resolves once it is committed, or decided that nothing of it is kept. Throws what the database throws, and 503 where too much waits or storing
   * takes too long.
   */
  record(report: PageReport): Promise<void>
}

/**
 * Group commit: while one merchant's statements run, what arrives of that merchant waits together for the next. Merchants take turns. Nothing is
 * kept of what failed: the page tells it again.
 */
export function createBehaviorQueue(
  context: Context,
  { storeWithinMs = STORE_WITHIN_MS }: { storeWithinMs?: number } = {},
): BehaviorQueue {
  const byMerchant = new Map<string, Waiting[]>()
  let waiting = 0
  let running = 0
  const busy = new Set<string>()
  const count = createDailyCount()
  const refused = createThrottledReport((calls) =>
    context.log.warn({ calls }, 'views and carts of visitors are refused: too many wait to be stored'),
  )

  const nextMerchant = (): string | undefined => {
    for (const merchantId of byMerchant.keys()) if (!busy.has(merchantId)) return merchantId
    return undefined
  }

  const storeNext = async (merchantId: string): Promise<void> => {
    const all = byMerchant.get(merchantId) ?? []
    const batch = all.splice(0, MAX_BATCH)
    // Behind the others, if there is more.
    byMerchant.delete(merchantId)
    if (all.length > 0) byMerchant.set(merchantId, all)
    try {
      await retriedTransaction(merchantScope(context, merchantId), (scope) => storeAll(scope, batch))
      for (const { done } of batch) done()
    } catch (error) {
      for (const { failed } of batch) failed(error)
    } finally {
      waiting -= batch.length
    }
  }

  const run = async (): Promise<void> => {
    running += 1
    // Includes the other requests of this turn of the event loop.
    await setImmediate()
    for (let merchantId = nextMerchant(); merchantId !== undefined; merchantId = nextMerchant()) {
      busy.add(merchantId)
      await storeNext(merchantId)
      busy.delete(merchantId)
    }
    running -= 1
  }

  return {
    record: (report) => {
      const today = count(report)
      if (today > MAX_TOLD_A_DAY) return Promise.resolve()
      const mine = byMerchant.get(report.merchantId) ?? []
      if (waiting >= MAX_WAITING || mine.length >= MAX_WAITING_OF_MERCHANT) {
        refused.add()
        return Promise.reject(new AppError('unavailable', 'unavailable', 'too much waits to be stored'))
      }
      byMerchant.set(report.merchantId, mine)
      waiting += 1
      const stored = new Promise<void>((done, failed) => {
        mine.push({ report, isBusy: today > BUSY_DAY, done, failed })
      })
      if (running < MERCHANTS_AT_ONCE && !busy.has(report.merchantId)) void run()
      return within(stored, storeWithinMs)
    },
  }
}

/** It may still be stored afterwards; sent again, it changes nothing. */
async function within(stored: Promise<void>, ms: number): Promise<void> {
  const age = stopwatch()
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new AppError('unavailable', 'unavailable', `not stored within ${Math.round(age())} ms`)),
      ms,
    )
  })
  // Who waits no longer hears no later failure.
  stored.catch(() => undefined)
  try {
    await Promise.race([stored, late])
  } finally {
    clearTimeout(timer)
  }
}

/** How much was sent of a customer today, with this. */
function createDailyCount(): (report: PageReport) => number {
  const counts = new Map<string, number>()
  let today = 0
  return ({ customerId, views, cart, at }) => {
    const day = Math.floor(at.getTime() / DAY_MS)
    if (day !== today) counts.clear()
    today = day
    const before = counts.get(customerId)
    if (before === undefined && counts.size >= MAX_COUNTED) counts.delete(counts.keys().next().value as string)
    const count = (before ?? 0) + Math.max(1, views.length + (cart?.length ?? 0))
    counts.set(customerId, count)
    return count
  }
}

/** Keeps nothing where the merchant did not turn it on, or the customer gave no permission. */
export async function storeAll(
  scope: TransactionScope,
  batch: readonly Pick<Waiting, 'report' | 'isBusy'>[],
): Promise<void> {
  // Both are held until the commit: who switches it off or takes the permission back clears what was stored here.
  const { records_behavior, records_carts } = await lockStorefrontSettings(scope)
  if (!records_behavior && !records_carts) return
  const permitted = await lockPermitted(scope, [...new Set(batch.map(({ report }) => report.customerId))])
  const kept = batch.filter(({ report }) => permitted.has(report.customerId))
  const reports = kept.map((each) => each.report)
  const views = records_behavior ? newestViews(reports, permitted, scope.now) : []
  const { carts, lines } = records_carts ? lastCarts(reports) : { carts: [], lines: [] }
  const own = new Set(
    await selectOwnProducts(scope, [...new Set([...views, ...lines].map((one) => one.storeProductId))]),
  )
  const isOwn = ({ storeProductId }: { storeProductId: number }): boolean => own.has(storeProductId)
  const touched = new Set([
    ...(await insertViews(scope, views.filter(isOwn))),
    ...(await upsertCartLines(scope, carts, lines.filter(isOwn))),
  ])
  const many = [...new Set(kept.flatMap(({ isBusy, report: { customerId } }) => (isBusy ? customerId : [])))]
  if (many.length > 0) await deleteBeyond(scope, many, MAX_KEPT_PRODUCTS)
  if (touched.size > 0) await scope.context.publish(scope, 'customers.changed', { customerIds: [...touched] })
}

/** One for each customer and product, the newest look. A look that a page sends late may be older than the permission. */
function newestViews(
  reports: readonly PageReport[],
  permitted: ReadonlyMap<string, Date | null>,
  now: Date,
): NewView[] {
  // A time so far ahead was stored before a clock was set back.
  const latest = now.getTime() + CLOCKS_APART_MS
  const views = new Map<string, NewView>()
  for (const { customerId, views: looks } of reports)
    for (const { storeProductId, at } of looks) {
      const since = permitted.get(customerId)
      if (since && since.getTime() <= latest && at < since) continue
      const key = `${customerId} ${storeProductId}`
      const known = views.get(key)
      if (!known || known.at < at) views.set(key, { customerId, storeProductId, at })
    }
  return [...views.values()]
}

/** The last one of each customer says what lies in it. */
function lastCarts(reports: readonly PageReport[]): { carts: WholeCart[]; lines: CartLine[] } {
  const last = new Map<string, PageReport>()
  for (const each of reports)
    if (each.cart && (last.get(each.customerId)?.at ?? each.at) <= each.at) last.set(each.customerId, each)
  const carts = [...last.values()].map(({ customerId, at }) => ({ customerId, at }))
  const lines = [...last.values()].flatMap(({ customerId, cart, at }) =>
    [...Map.groupBy(cart ?? [], ({ storeProductId }) => storeProductId)].map(([storeProductId, same]) => ({
      customerId,
      storeProductId,
      quantity: same.reduce((sum, { quantity }) => sum + quantity, 0),
      at,
    })),
  )
  return { carts, lines }
}

const queues = new WeakMap<Context, BehaviorQueue>()

/** Stored with what other visitors of these moments tell. */
export function recordBehavior(context: Context, report: PageReport): Promise<void> {
  const queue = queues.get(context) ?? createBehaviorQueue(context)
  queues.set(context, queue)
  return queue.record(report)
}

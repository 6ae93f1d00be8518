import type { Context } from '../context.ts'
import { troubleOf } from './database-trouble.ts'
import { AppError } from '../errors.ts'
import { type MerchantScope, merchantScope } from '../merchant-scope.ts'

interface Batching<Item, Outcome> {
  /** Outcomes in the order of the items. */
  work: (scope: MerchantScope, items: readonly Item[]) => Promise<readonly Outcome[]>
  most: number
  /** More than this waiting at one merchant: the database does not keep up, and people press again. */
  mostWaiting: number
  /** How many batches of a merchant are worked on at a time; by default one. A further one begins when `enough` wait for it. */
  atOnce?: number
  enough?: number
  /** What is of one keeps its order: it is never in two batches at a time, and in one batch only what is of one kind. */
  order?: (item: Item) => { of: string; kind: string }
}
interface Waiting<Item, Outcome> {
  item: Item
  resolve: (outcome: Outcome) => void
  reject: (error: unknown) => void
}
interface Queue<Item, Outcome> {
  waiting: Waiting<Item, Outcome>[]
  running: number
  /** The keys of the items that are being worked on. */
  busy: Set<string>
  isLookedAt: boolean
}

/**
 * While a merchant's batches are worked on, what arrives for that merchant waits together for the next, so that a commit is for many people. In the
 * order in which it came, as far as `order` asks. With several at a time the database works on one while this process answers another. If a batch
 * fails and the database is well, each of it is tried alone: what is wrong with one is not the others' answer.
 */
export function inBatches<Item, Outcome>({
  work,
  most,
  mostWaiting,
  atOnce = 1,
  enough = 1,
  order,
}: Batching<Item, Outcome>): (scope: MerchantScope, item: Item) => Promise<Outcome> {
  type One = Waiting<Item, Outcome>
  const queuesOf = new WeakMap<Context, Map<string, Queue<Item, Outcome>>>()

  async function settle(context: Context, merchantId: string, batch: readonly One[]): Promise<void> {
    const items = batch.map(({ item }) => item)
    try {
      const outcomes = await work(merchantScope(context, merchantId), items)
      for (const [index, { resolve }] of batch.entries()) resolve(outcomes[index] as Outcome)
    } catch (error) {
      if (batch.length > 1 && troubleOf(error) === null)
        for (const one of batch) await settle(context, merchantId, [one])
      else for (const { reject } of batch) reject(error)
    }
  }

  /** The next batch, out of the queue, and those of whom there is something in it. */
  function take(queue: Queue<Item, Outcome>): { batch: One[]; of: ReadonlyMap<string, string> } {
    const kinds = new Map<string, string>()
    if (!order) return { batch: queue.waiting.splice(0, most), of: kinds }
    const batch: One[] = []
    const left: One[] = []
    const later = new Set<string>()
    let looked = 0
    for (; looked < queue.waiting.length && batch.length < most; looked += 1) {
      const one = queue.waiting[looked] as One
      const { of, kind } = order(one.item)
      const fits = !queue.busy.has(of) && !later.has(of) && (kinds.get(of) ?? kind) === kind
      if (fits) {
        kinds.set(of, kind)
        batch.push(one)
      } else {
        later.add(of)
        left.push(one)
      }
    }
    queue.waiting.splice(0, looked, ...left)
    return { batch, of: kinds }
  }

  function begin(context: Context, merchantId: string, queue: Queue<Item, Outcome>): void {
    while (
      queue.waiting.length > 0 &&
      queue.running < atOnce &&
      (queue.running === 0 || queue.waiting.length >= enough)
    ) {
      const { batch, of } = take(queue)
      // All of it waits for what is worked on.
      if (batch.length === 0) return
      queue.running += 1
      for (const one of of.keys()) queue.busy.add(one)
      void settle(context, merchantId, batch).then(() => {
        queue.running -= 1
        for (const one of of.keys()) queue.busy.delete(one)
        begin(context, merchantId, queue)
      })
    }
    // Otherwise it is begun again.
    if (queue.running === 0 && !queue.isLookedAt) queuesOf.get(context)?.delete(merchantId)
  }

  /** When the other requests of this turn of the event loop are there. */
  function beginSoon(context: Context, merchantId: string, queue: Queue<Item, Outcome>): void {
    if (queue.isLookedAt || (queue.running > 0 && (queue.running >= atOnce || queue.waiting.length < enough))) return
    queue.isLookedAt = true
    setImmediate(() => {
      queue.isLookedAt = false
      begin(context, merchantId, queue)
    })
  }

  return ({ context, merchantId }, item) => {
    const queues = queuesOf.get(context) ?? new Map<string, Queue<Item, Outcome>>()
    queuesOf.set(context, queues)
    return new Promise((resolve, reject) => {
      const queue = queues.get(merchantId) ?? { waiting: [], running: 0, busy: new Set(), isLookedAt: false }
      if (queue.waiting.length >= mostWaiting)
        return reject(new AppError('unavailable', 'database_busy', 'too many wait for the database'))
      queues.set(merchantId, queue)
      queue.waiting.push({ item, resolve, reject })
      beginSoon(context, merchantId, queue)
    })
  }
}

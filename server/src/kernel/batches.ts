import type { Context } from './context.ts'
import { troubleOf } from './database-trouble.ts'
import { AppError } from './errors.ts'
import { type MerchantScope, merchantScope } from './merchant-scope.ts'

interface Batching<Item, Outcome> {
  /** Outcomes in the order of the items. */
  work: (scope: MerchantScope, items: readonly Item[]) => Promise<readonly Outcome[]>
  most: number
  /** More than this waiting at one merchant: the database does not keep up, and people press again. */
  mostWaiting: number
  /** How many of the first may be done together; by default all. At least one. */
  together?: (items: readonly Item[]) => number
}
interface Waiting<Item, Outcome> {
  item: Item
  resolve: (outcome: Outcome) => void
  reject: (error: unknown) => void
}

/**
 * While a merchant's batch is worked on, what arrives for that merchant waits together for the next, so that a commit is for many people. In the
 * order in which it came. If a batch fails and the database is well, each of it is tried alone: what is wrong with one is not the others' answer.
 */
export function inBatches<Item, Outcome>({
  work,
  most,
  mostWaiting,
  together = (items) => items.length,
}: Batching<Item, Outcome>): (scope: MerchantScope, item: Item) => Promise<Outcome> {
  type One = Waiting<Item, Outcome>
  const queuesOf = new WeakMap<Context, Map<string, One[]>>()

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

  async function drain(context: Context, merchantId: string, queues: Map<string, One[]>): Promise<void> {
    // Includes the other requests of this turn of the event loop.
    await new Promise(setImmediate)
    for (let queue = queues.get(merchantId) ?? []; queue.length > 0; ) {
      const first = queue.slice(0, most)
      await settle(context, merchantId, queue.splice(0, Math.max(1, together(first.map(({ item }) => item)))))
    }
    queues.delete(merchantId)
  }

  return ({ context, merchantId }, item) => {
    const queues = queuesOf.get(context) ?? new Map<string, One[]>()
    queuesOf.set(context, queues)
    return new Promise((resolve, reject) => {
      const queue = queues.get(merchantId)
      if (queue && queue.length >= mostWaiting)
        return reject(new AppError('unavailable', 'database_busy', 'too many wait for the database'))
      const one = { item, resolve, reject }
      if (queue) queue.push(one)
      else {
        queues.set(merchantId, [one])
        void drain(context, merchantId, queues)
      }
    })
  }
}

import { MAX_FAVORITES } from '@okaeri/contract/favorites/storefront'
import type { Context } from '../../kernel/context.ts'
import { retriedTransaction } from '../../kernel/deadlocks.ts'
import { AppError, conflict, notFound } from '../../kernel/errors.ts'
import { newIds } from '../../kernel/ids.ts'
import { type MerchantScope, merchantScope } from '../../kernel/merchant-scope.ts'
import { addFavorites, type Holder, type Wanted } from './favorite.ts'
import { selectCircumstances, type Wish } from './queries.ts'

type Outcome = 'stored' | 'unknown' | 'too_many'
interface Waiting {
  holder: Holder
  wanted: Wanted
  settle: { resolve: (outcome: Outcome) => void; reject: (error: unknown) => void }
}

const MAX_BATCH = 500
/** More than this waiting: the database does not keep up, and people press again. */
const MAX_WAITING = 20_000

/** By merchant, what waits for the statement that runs. */
const queues = new WeakMap<Context, Map<string, Waiting[]>>()

/**
 * Stores a visitor's favorite. While one transaction of the merchant runs, others wait together for the next, so that a product everybody likes
 * costs a commit for many people. Throws 404 for what the store does not sell, 409 above {@link MAX_FAVORITES}.
 */
export async function storeFavorite(scope: MerchantScope, holder: Holder, wanted: Wanted): Promise<void> {
  const outcome = await enqueue(scope, holder, wanted)
  if (outcome === 'unknown') throw notFound('the store has no such product or variant')
  if (outcome === 'too_many') throw conflict('too_many_favorites', `a visitor has at most ${MAX_FAVORITES} favorites`)
}

function enqueue({ context, merchantId }: MerchantScope, holder: Holder, wanted: Wanted): Promise<Outcome> {
  const ofContext = queues.get(context) ?? new Map<string, Waiting[]>()
  queues.set(context, ofContext)
  return new Promise((resolve, reject) => {
    const queue = ofContext.get(merchantId)
    if (queue && queue.length >= MAX_WAITING)
      return reject(new AppError('unavailable', 'database_busy', 'too many favorites wait to be stored'))
    const one: Waiting = { holder, wanted, settle: { resolve, reject } }
    if (queue) queue.push(one)
    else {
      ofContext.set(merchantId, [one])
      void drain(context, merchantId, ofContext)
    }
  })
}

async function drain(context: Context, merchantId: string, queuesOf: Map<string, Waiting[]>): Promise<void> {
  // Includes the other requests of this turn of the event loop.
  await new Promise(setImmediate)
  for (let queue = queuesOf.get(merchantId) ?? []; queue.length > 0; ) {
    const batch = queue.splice(0, MAX_BATCH)
    try {
      const outcomes = await storeBatch(merchantScope(context, merchantId), batch)
      for (const [index, { settle }] of batch.entries()) settle.resolve(outcomes[index] ?? 'unknown')
    } catch (error) {
      for (const { settle } of batch) settle.reject(error)
    }
  }
  queuesOf.delete(merchantId)
}

async function storeBatch(scope: MerchantScope, batch: readonly Waiting[]): Promise<Outcome[]> {
  const ids = newIds(batch.length)
  const wishes = batch.map(
    ({ holder, wanted: { storeProductId, storeVariantId = 0 } }, index): Wish => ({
      id: ids[index] ?? '',
      holder,
      storeProductId,
      storeVariantId,
    }),
  )
  const circumstances = await selectCircumstances(scope, wishes, MAX_FAVORITES)
  /** What the people of this batch add in it. */
  const more = new Map<string, number>()
  const taken: Wish[] = []
  const outcomes = wishes.map((wish): Outcome => {
    const known = circumstances.get(wish.id)
    if (known?.is_favorite) return 'stored'
    if (!known?.is_known) return 'unknown'
    const who = 'customerId' in wish.holder ? wish.holder.customerId : wish.holder.guestId
    const added = more.get(who) ?? 0
    if (known.count + added >= MAX_FAVORITES) return 'too_many'
    more.set(who, added + 1)
    taken.push(wish)
    return 'stored'
  })
  if (taken.length > 0) await retriedTransaction(scope, (scope) => addFavorites(scope, taken))
  return outcomes
}

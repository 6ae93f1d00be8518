import { MAX_FAVORITES } from '@okaeri/contract/favorites/storefront'
import { inBatches } from '../../kernel/database/batches.ts'
import { retried, retriedTransaction } from '../../kernel/database/deadlocks.ts'
import { conflict, notFound } from '../../kernel/errors.ts'
import { newIds } from '../../kernel/ids.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { removeFavorites, storeNewFavorites, type FavoriteItem } from './favorite.ts'
import {
  type Holder,
  idOf,
  isOfCustomer,
  lockCustomers,
  type NewFavorite,
  selectUnusual,
  type FavoriteKey,
} from './queries.ts'
import { type Mark, selectMarks } from './storefront-queries.ts'

type Outcome = 'stored' | 'unknown' | 'too_many'
interface Pressed extends FavoriteItem {
  holder: Holder
  does: 'add' | 'remove'
}

const MOST = 500
const MOST_WAITING = 20_000
/** So that the database works on one batch while this process reads and answers others. Each takes a connection. */
const AT_ONCE = 3
/** A batch costs a commit and two questions, however few are in it. */
const ENOUGH = 50

const store = inBatches<Pressed, Outcome>({
  most: MOST,
  mostWaiting: MOST_WAITING,
  atOnce: AT_ONCE,
  enough: ENOUGH,
  // A person's adding and removing keep their order.
  order: ({ holder, does }) => ({ of: idOf(holder), kind: does }),
  work: storeBatch,
})

const list = inBatches<Holder, Mark[]>({
  most: MOST,
  mostWaiting: MOST_WAITING,
  work: (scope, holders) => selectMarks(scope, holders, MAX_FAVORITES),
})

/** Stores a visitor's favorite. Throws 404 for what the store does not sell, 409 above {@link MAX_FAVORITES}. */
export async function storeFavorite(scope: MerchantScope, holder: Holder, wanted: FavoriteItem): Promise<void> {
  const outcome = await store(scope, { ...wanted, holder, does: 'add' })
  if (outcome === 'unknown') throw notFound('the store has no such product or variant')
  if (outcome === 'too_many') throw conflict('too_many_favorites', `a visitor has at most ${MAX_FAVORITES} favorites`)
}

/** Takes it away again; what was none stays none. */
export async function takeAwayFavorite(scope: MerchantScope, holder: Holder, wanted: FavoriteItem): Promise<void> {
  await store(scope, { ...wanted, holder, does: 'remove' })
}

export const listOwnFavorites = (scope: MerchantScope, holder: Holder): Promise<Mark[]> => list(scope, holder)

async function storeBatch(scope: MerchantScope, pressed: readonly Pressed[]): Promise<Outcome[]> {
  const ids = newIds(pressed.length)
  const wishes = pressed.map(
    ({ holder, storeProductId, storeVariantId = 0, does }, index): FavoriteKey & Pick<Pressed, 'does'> => ({
      id: ids[index] ?? '',
      holder,
      storeProductId,
      storeVariantId,
      does,
    }),
  )
  const added = wishes.filter(({ does }) => does === 'add')
  const removed = wishes.filter(({ does }) => does === 'remove')
  let outcomes = new Map<string, Outcome>()
  const add = async (scope: MerchantScope, isHere: (wish: FavoriteKey) => boolean): Promise<void> => {
    const judged = await judge(scope, added)
    outcomes = judged.outcomes
    await storeNewFavorites(scope, judged.fresh.filter(isHere))
  }
  // What guests add is stored by one statement.
  if (removed.length === 0 && !added.some(isOfCustomer)) await retried(scope, () => add(scope, () => true))
  else
    await retriedTransaction(scope, async (scope) => {
      await removeFavorites(scope, removed)
      await add(scope, await lockCustomers(scope, added))
    })
  return wishes.map(({ id }) => outcomes.get(id) ?? 'stored')
}

/** What is answered to each, and the favorites to be stored. */
async function judge(
  scope: MerchantScope,
  wishes: readonly FavoriteKey[],
): Promise<{ outcomes: Map<string, Outcome>; fresh: NewFavorite[] }> {
  const unusual = await selectUnusual(scope, wishes, MAX_FAVORITES)
  const outcomes = new Map<string, Outcome>()
  const fresh: NewFavorite[] = []
  /** What the people of this batch add in it. */
  const more = new Map<string, Set<string>>()
  for (const wish of wishes) {
    const { id, holder, storeProductId, storeVariantId } = wish
    const { is_known, is_favorite, is_again, count } = unusual.get(id) ?? usual
    if (is_favorite) continue
    const who = idOf(holder)
    const own = more.get(who) ?? new Set()
    more.set(who, own)
    const what = `${storeProductId} ${storeVariantId}`
    if (own.has(what)) continue
    if (!is_known) outcomes.set(id, 'unknown')
    else if (count + own.size >= MAX_FAVORITES) outcomes.set(id, 'too_many')
    else {
      own.add(what)
      fresh.push({ ...wish, isAgain: is_again })
    }
  }
  return { outcomes, fresh }
}
const usual = { is_known: true, is_favorite: false, is_again: false, count: 0 }

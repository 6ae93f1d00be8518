import { MAX_FAVORITES } from '@okaeri/contract/favorites/storefront'
import { inBatches } from '../../kernel/batches.ts'
import { retriedTransaction } from '../../kernel/deadlocks.ts'
import { conflict, notFound } from '../../kernel/errors.ts'
import { newIds } from '../../kernel/ids.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { addFavorites, type Holder, idOf, removeFavorites, type Wanted } from './favorite.ts'
import { selectCircumstances, type Wish } from './queries.ts'
import { type Mark, selectMarks } from './storefront-queries.ts'

type Outcome = 'stored' | 'unknown' | 'too_many'
interface Pressed extends Wanted {
  holder: Holder
  does: 'add' | 'remove'
}

const MOST = 500
const MOST_WAITING = 20_000

const store = inBatches<Pressed, Outcome>({
  most: MOST,
  mostWaiting: MOST_WAITING,
  together: untilSomeoneChangesTheirMind,
  work: storeBatch,
})

const list = inBatches<Holder, Mark[]>({
  most: MOST,
  mostWaiting: MOST_WAITING,
  work: (scope, holders) => selectMarks(scope, holders, MAX_FAVORITES),
})

/** Stores a visitor's favorite. Throws 404 for what the store does not sell, 409 above {@link MAX_FAVORITES}. */
export async function storeFavorite(scope: MerchantScope, holder: Holder, wanted: Wanted): Promise<void> {
  const outcome = await store(scope, { ...wanted, holder, does: 'add' })
  if (outcome === 'unknown') throw notFound('the store has no such product or variant')
  if (outcome === 'too_many') throw conflict('too_many_favorites', `a visitor has at most ${MAX_FAVORITES} favorites`)
}

/** Takes it away again; what was none stays none. */
export async function takeAwayFavorite(scope: MerchantScope, holder: Holder, wanted: Wanted): Promise<void> {
  await store(scope, { ...wanted, holder, does: 'remove' })
}

export const listOwnFavorites = (scope: MerchantScope, holder: Holder): Promise<Mark[]> => list(scope, holder)

/** A person's adding and removing keep their order: one batch has only one of the two for each person. */
function untilSomeoneChangesTheirMind(pressed: readonly Pressed[]): number {
  const done = new Map<string, Pressed['does']>()
  const end = pressed.findIndex(({ holder, does }) => {
    const who = idOf(holder)
    const before = done.get(who)
    done.set(who, before ?? does)
    return before !== undefined && before !== does
  })
  return end < 0 ? pressed.length : end
}

async function storeBatch(scope: MerchantScope, pressed: readonly Pressed[]): Promise<Outcome[]> {
  const ids = newIds(pressed.length)
  const wishes = pressed.map(
    ({ holder, storeProductId, storeVariantId = 0, does }, index): Wish & Pick<Pressed, 'does'> => ({
      id: ids[index] ?? '',
      holder,
      storeProductId,
      storeVariantId,
      does,
    }),
  )
  const added = wishes.filter(({ does }) => does === 'add')
  const removed = wishes.filter(({ does }) => does === 'remove')
  const outcomes = await judge(scope, added)
  const taken = added.filter(({ id }) => outcomes.get(id) === 'stored')
  await retriedTransaction(scope, async (scope) => {
    await removeFavorites(scope, removed)
    await addFavorites(scope, taken)
  })
  return wishes.map(({ id }) => outcomes.get(id) ?? 'stored')
}

async function judge(scope: MerchantScope, wishes: readonly Wish[]): Promise<Map<string, Outcome>> {
  if (wishes.length === 0) return new Map()
  const circumstances = await selectCircumstances(scope, wishes, MAX_FAVORITES)
  /** What the people of this batch add in it. */
  const more = new Map<string, number>()
  return new Map(
    wishes.map(({ id, holder }): [string, Outcome] => {
      const known = circumstances.get(id)
      if (known?.is_favorite) return [id, 'stored']
      if (!known?.is_known) return [id, 'unknown']
      const who = idOf(holder)
      const before = more.get(who) ?? 0
      if (known.count + before >= MAX_FAVORITES) return [id, 'too_many']
      more.set(who, before + 1)
      return [id, 'stored']
    }),
  )
}

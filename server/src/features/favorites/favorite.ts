import type { Favorite, FavoritesOfProduct } from '@okaeri/contract/favorites/routes'
import { MAX_FAVORITES } from '@okaeri/contract/favorites/storefront'
import type { Page } from '@okaeri/contract/paging'
import { copyIn } from '../../kernel/database/copy-in.ts'
import type { Copy } from '../../kernel/database/copying-client.ts'
import { retriedTransaction } from '../../kernel/database/deadlocks.ts'
import { foldText } from '../../kernel/folding.ts'
import { runHeavyQuery } from '../../kernel/database/heavy-queries.ts'
import { newId } from '../../kernel/ids.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { selectAggregated } from './count-queries.ts'
import { copyAdded, countDoubled, countRemoved } from './counting.ts'
import {
  copyNewFavorites,
  deleteDoubled,
  detachFavorites,
  type FavoriteOrder,
  lockCustomers,
  markAgain,
  markRemoved,
  moveToCustomer,
  type NewFavorite,
  selectFavorites,
  selectUnusual,
  type FavoriteKey,
  type Holder,
} from './queries.ts'

declare module '../../kernel/context.ts' {
  interface Ports {
    /** What is written with favorites that are added just now, by the same COPY. */
    writtenWithFavorites(scope: MerchantScope, favorites: readonly AddedFavorite[]): Copy
  }
}
declare module '../../kernel/facts.ts' {
  interface Facts {
    /** By the person, just now. Variant 0: the product as a whole. */
    'favorite.removed': {
      customerId: string | null
      guestId: string | null
      storeProductId: number
      storeVariantId: number
    }
  }
}
export interface AddedFavorite {
  favoriteId: string
  /** Exactly one of customer and guest. */
  customerId: string | null
  guestId: string | null
  storeProductId: number
  /** 0: the product as a whole. */
  storeVariantId: number
}

/** Numbers of the store; variant 0: the product as a whole. */
export interface FavoriteItem {
  storeProductId: number
  storeVariantId?: number
}
const idsOf = (holder: Holder): { customerId: string | null; guestId: string | null } => ({
  customerId: 'customerId' in holder ? holder.customerId : null,
  guestId: 'guestId' in holder ? holder.guestId : null,
})

const publishChanged = async (scope: MerchantScope, customerIds: readonly (string | null)[]): Promise<void> => {
  const those = [...new Set(customerIds.flatMap((id) => id ?? []))].sort()
  if (those.length > 0) await scope.context.publish(scope, 'customers.changed', { customerIds: those })
}

/**
 * Stores new favorites. The caller has just checked that they are new; fails (23505) where one was stored meanwhile. Outside a transaction for guests
 * alone: then one round trip stores everything.
 */
export async function storeNewFavorites(scope: MerchantScope, wishes: readonly NewFavorite[]): Promise<void> {
  if (wishes.length === 0) return
  const favorites = wishes.map(({ id: favoriteId, holder, storeProductId, storeVariantId }) => ({
    favoriteId,
    ...idsOf(holder),
    storeProductId,
    storeVariantId,
  }))
  const copies = [
    copyNewFavorites(scope, wishes),
    copyAdded(
      scope,
      wishes.map(({ storeProductId }) => storeProductId),
    ),
    scope.context.ports.writtenWithFavorites(scope, favorites),
  ]
  await copyIn(scope, copies)
  for (const { rows } of copies) rows.release()
  await publishChanged(
    scope,
    favorites.map(({ customerId }) => customerId),
  )
}

/** Stores what is no favorite yet, whether or not the store sells it. Returns the ids of the new ones. */
export function addFavorites(scope: MerchantScope, wishes: readonly FavoriteKey[]): Promise<Set<string>> {
  return retriedTransaction(scope, async (scope) => {
    const unusual = await selectUnusual(scope, wishes, MAX_FAVORITES)
    const isHere = await lockCustomers(scope, wishes)
    const added = wishes
      .filter((wish) => !unusual.get(wish.id)?.is_favorite && isHere(wish))
      .map((wish) => ({ ...wish, isAgain: unusual.get(wish.id)?.is_again ?? false }))
    await storeNewFavorites(scope, added)
    return new Set(added.map(({ id }) => id))
  })
}

/** Returns the ids of the wishes that were favorites until now. */
export function removeFavorites(scope: MerchantScope, wishes: readonly FavoriteKey[]): Promise<Set<string>> {
  return scope.transaction(async (scope) => {
    const removed = await markRemoved(scope, wishes)
    if (removed.size === 0) return new Set()
    const those = wishes.filter(({ id }) => removed.has(id))
    await countRemoved(
      scope,
      those.map(({ id, storeProductId }) => ({ storeProductId, setAt: removed.get(id) ?? scope.now })),
    )
    await publishChanged(
      scope,
      those.map(({ holder }) => idsOf(holder).customerId),
    )
    for (const { holder, storeProductId, storeVariantId } of those)
      await scope.context.publish(scope, 'favorite.removed', { ...idsOf(holder), storeProductId, storeVariantId })
    return new Set(removed.keys())
  })
}

/** The words of a search, as texts to be found are stored. */
export const wordsOf = (q: string | undefined): string[] =>
  foldText(q ?? '')
    .split(/\s+/)
    .filter((word) => word !== '')

interface Search {
  q?: string | undefined
  limit: number
  offset: number
}

export async function listFavorites(
  scope: MerchantScope,
  {
    q,
    product_id,
    customer_id,
    status,
    ...page
  }: Search &
    FavoriteOrder & {
      product_id?: number | undefined
      customer_id?: string | undefined
      status?: 'active' | 'removed' | undefined
    },
): Promise<Page<Favorite>> {
  const filter = {
    words: wordsOf(q),
    status,
    storeProductIds: product_id === undefined ? undefined : [product_id],
    holder: customer_id === undefined ? undefined : { customerId: customer_id },
  }
  const ask = () => selectFavorites(scope, filter, page)
  // In another order than by the latest, or searched, all lines are grouped: with hundreds of thousands that takes a second.
  const { rows, total } = customer_id === undefined ? await runHeavyQuery(scope, ask) : await ask()
  return { data: rows, limit: page.limit, offset: page.offset, total }
}

export async function listFavoritesAggregated(
  scope: MerchantScope,
  {
    q,
    product_id,
    ...page
  }: Search & { product_id?: number | undefined } & Omit<Parameters<typeof selectAggregated>[2], 'limit' | 'offset'>,
): Promise<Page<FavoritesOfProduct>> {
  const { rows, total } = await selectAggregated(scope, { words: wordsOf(q), storeProductId: product_id }, page)
  return { data: rows, limit: page.limit, offset: page.offset, total }
}

/** The guest's favorites become the customer's. */
export async function joinFavorites(
  scope: MerchantScope,
  { guestId, customerId }: { guestId: string; customerId: string },
): Promise<void> {
  const doubled = await deleteDoubled(scope, guestId, customerId)
  const moved = await moveToCustomer(scope, guestId, customerId)
  await countDoubled(scope, doubled)
  if (doubled.length + moved === 0) return
  await markAgain(scope, customerId)
  await publishChanged(scope, [customerId])
}

/** Two customers of the store were merged. */
export async function mergeFavorites(
  scope: MerchantScope,
  { fromId, intoId }: { fromId: string; intoId: string },
): Promise<void> {
  const guestId = newId()
  await detachFavorites(scope, fromId, guestId)
  await joinFavorites(scope, { guestId, customerId: intoId })
}

export const detachFavoritesOf = (scope: MerchantScope, { customerId }: { customerId: string }): Promise<void> =>
  detachFavorites(scope, customerId, newId())

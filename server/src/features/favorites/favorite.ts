import type { Favorite, FavoritesOfProduct } from '@okaeri/contract/favorites/routes'
import type { Page } from '@okaeri/contract/paging'
import { newId } from '../../kernel/ids.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { foldText } from '../../kernel/folding.ts'
import {
  deleteDoubled,
  disownFavorites,
  type FavoriteFilter,
  insertFavorite,
  markRemoved,
  moveToCustomer,
  selectAggregated,
  selectFavorites,
} from './queries.ts'

declare module '../../kernel/events.ts' {
  interface Facts {
    /** By one person, just now. Exactly one of customer and guest. Variant 0: the product as a whole. */
    'favorite.added': {
      favoriteId: string
      customerId: string | null
      guestId: string | null
      storeProductId: number
      storeVariantId: number
    }
  }
}

/** Exactly one of the two. */
export type Holder = { customerId: string } | { guestId: string }
/** Numbers of the store; variant 0: the product as a whole. */
export interface Wanted {
  storeProductId: number
  storeVariantId?: number
}

const publishChanged = async (scope: MerchantScope, holder: Holder): Promise<void> => {
  if ('customerId' in holder)
    await scope.context.publish(scope, 'customers.changed', { customerIds: [holder.customerId] })
}

/** Answers whether it is new. */
export function addFavorite(scope: MerchantScope, holder: Holder, wanted: Wanted): Promise<boolean> {
  return scope.transaction(async (scope) => {
    const favoriteId = newId()
    const isNew = await insertFavorite(scope, favoriteId, holder, wanted)
    if (!isNew) return false
    await publishChanged(scope, holder)
    await scope.context.publish(scope, 'favorite.added', {
      favoriteId,
      customerId: 'customerId' in holder ? holder.customerId : null,
      guestId: 'guestId' in holder ? holder.guestId : null,
      storeProductId: wanted.storeProductId,
      storeVariantId: wanted.storeVariantId ?? 0,
    })
    return true
  })
}

/** Answers whether it was a favorite. */
export function removeFavorite(scope: MerchantScope, holder: Holder, wanted: Wanted): Promise<boolean> {
  return scope.transaction(async (scope) => {
    const was = await markRemoved(scope, holder, wanted)
    if (was) await publishChanged(scope, holder)
    return was
  })
}

const SHOWN_OF_ONE = 100

/** A person's favorites, active and removed, the latest first. */
export async function listFavoritesOf(scope: MerchantScope, holder: Holder): Promise<Favorite[]> {
  return (await selectFavorites(scope, { holder }, { limit: SHOWN_OF_ONE, offset: 0 })).rows
}

export async function listFavorites(
  scope: MerchantScope,
  query: Omit<FavoriteFilter, 'holder'> & { customerId?: string | undefined; limit: number; offset: number },
): Promise<Page<Favorite>> {
  const { limit, offset, customerId, ...filter } = query
  const holder = customerId === undefined ? undefined : { customerId }
  const { rows, total } = await selectFavorites(scope, { ...filter, holder }, { limit, offset })
  return { data: rows, limit, offset, total }
}

export async function listFavoritesAggregated(
  scope: MerchantScope,
  { q, limit, offset }: { q?: string | undefined; limit: number; offset: number },
): Promise<Page<FavoritesOfProduct>> {
  const words = foldText(q ?? '')
    .split(/\s+/)
    .filter((word) => word !== '')
  const { rows, total } = await selectAggregated(scope, words, { limit, offset })
  return { data: rows, limit, offset, total }
}

/** The guest's favorites become the customer's. */
export async function joinFavorites(
  scope: MerchantScope,
  { guestId, customerId }: { guestId: string; customerId: string },
): Promise<void> {
  const doubled = await deleteDoubled(scope, guestId, customerId)
  const moved = await moveToCustomer(scope, guestId, customerId)
  if (doubled + moved > 0) await publishChanged(scope, { customerId })
}

/** Two customers of the store were merged. */
export async function mergeFavorites(
  scope: MerchantScope,
  { fromId, intoId }: { fromId: string; intoId: string },
): Promise<void> {
  const guestId = newId()
  await disownFavorites(scope, fromId, guestId)
  await joinFavorites(scope, { guestId, customerId: intoId })
}

export const disownFavoritesOf = (scope: MerchantScope, { customerId }: { customerId: string }): Promise<void> =>
  disownFavorites(scope, customerId, newId())

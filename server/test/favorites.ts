import type { Favorite } from '@okaeri/contract/favorites/routes'
import { addFavorites, removeFavorites, type FavoriteItem } from '../src/features/favorites/favorite.ts'
import { type Holder, selectFavorites, type FavoriteKey } from '../src/features/favorites/queries.ts'
import { newId } from '../src/kernel/ids.ts'
import type { MerchantScope } from '../src/kernel/merchant-scope.ts'

const wishOf = (holder: Holder, { storeProductId, storeVariantId = 0 }: FavoriteItem): FavoriteKey => ({
  id: newId(),
  holder,
  storeProductId,
  storeVariantId,
})

/** Returns whether it is new. */
export const addFavorite = async (scope: MerchantScope, holder: Holder, wanted: FavoriteItem): Promise<boolean> =>
  (await addFavorites(scope, [wishOf(holder, wanted)])).size > 0

/** Returns whether it was a favorite. */
export const removeFavorite = async (scope: MerchantScope, holder: Holder, wanted: FavoriteItem): Promise<boolean> =>
  (await removeFavorites(scope, [wishOf(holder, wanted)])).size > 0

/** A person's favorites, active and removed, the latest first. */
export const listFavoritesOf = async (scope: MerchantScope, holder: Holder): Promise<Favorite[]> =>
  (await selectFavorites(scope, { holder }, { limit: 100, offset: 0, sort: 'latest_favorited_at', direction: 'desc' }))
    .rows

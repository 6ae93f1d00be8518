import {
  listFavoritesAggregated as aggregatedEndpoint,
  listFavorites as listEndpoint,
} from '@okaeri/contract/favorites/routes'
import type { Routes } from '../../kernel/http.ts'
import { listFavorites, listFavoritesAggregated } from './favorite.ts'

export function favoriteRoutes(on: Routes): void {
  on.merchant(listEndpoint)(({ scope, query: { product_id, customer_id, ...query } }) =>
    listFavorites(scope, { ...query, storeProductId: product_id, customerId: customer_id }),
  )
  on.merchant(aggregatedEndpoint)(({ scope, query }) => listFavoritesAggregated(scope, query))
}

export { countFavorites } from './counting.ts'
export {
  detachFavoritesOf,
  joinFavorites,
  mergeFavorites,
} from './favorite.ts'
export { favoritePersonalData } from './personal-data-queries.ts'
export { favoriteRoutes } from './routes.ts'
export { favoriteFactsForShop, readFavoriteSettings } from './settings.ts'
export { listOwnFavorites } from './visitor-batches.ts'

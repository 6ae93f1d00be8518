export { favoritePersonalData } from './personal-data-queries.ts'
export { countFavorites } from './counting.ts'
export {
  addFavorite,
  disownFavoritesOf,
  joinFavorites,
  mergeFavorites,
  listFavoritesOf,
  removeFavorite,
} from './favorite.ts'
export { favoriteRoutes } from './routes.ts'
export { favoriteFactsForShop, readFavoriteSettings } from './settings.ts'

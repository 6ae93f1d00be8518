export { addFavorite, disownFavoritesOf, joinFavorites, listFavoritesOf, removeFavorite } from './favorite.ts'
export { favoriteRoutes } from './routes.ts'

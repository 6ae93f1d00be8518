import { type AnyRoute, createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../app/lazy-page.ts'
import { paths } from '../../app/paths.ts'
import { ProductSearch, PeopleSearch } from './search.ts'

export const favoriteRoutes = (shell: AnyRoute) => [
  createRoute({
    getParentRoute: () => shell,
    path: paths.favorites.pattern,
    validateSearch: ProductSearch,
    component: lazyPage(() => import('./product-list.tsx'), 'FavoriteProducts'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: paths.favoritesOfProduct.pattern,
    validateSearch: PeopleSearch,
    component: lazyPage(() => import('./people-list.tsx'), 'FavoritePeople'),
  }),
]

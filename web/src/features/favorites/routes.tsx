import { FavoriteStatus, favoriteSorts, productSorts } from '@okaeri/contract/favorites/routes'
import { type AnyRoute, createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../app/lazy-page.ts'
import { paths } from '../../app/paths.ts'
import { listSearch } from '../../ui/pages/list-state.ts'

export const ProductSearch = listSearch({ sorts: productSorts })
export const PeopleSearch = listSearch({ sorts: favoriteSorts, filters: { status: FavoriteStatus } })

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

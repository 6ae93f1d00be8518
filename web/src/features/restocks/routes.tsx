import { type AnyRoute, createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../app/lazy-page.ts'
import { paths } from '../../app/paths.ts'
import { RestockSearch, RestockProductSearch } from './search.ts'

export const restockRoutes = (shell: AnyRoute) => [
  createRoute({
    getParentRoute: () => shell,
    path: paths.restock.pattern,
    validateSearch: RestockSearch,
    component: lazyPage(() => import('./restock-list.tsx'), 'RestockList'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: paths.restockProduct.pattern,
    validateSearch: RestockProductSearch,
    component: lazyPage(() => import('./restock-product.tsx'), 'RestockProduct'),
  }),
]

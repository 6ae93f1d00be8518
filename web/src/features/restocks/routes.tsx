import { RestockStatus } from '@okaeri/contract/restocks/routes'
import { type AnyRoute, createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../app/lazy-page.ts'
import { paths } from '../../app/paths.ts'
import { listSearch } from '../../ui/pages/list-state.ts'
import { z } from 'zod'

export const RestockSearch = listSearch({ sorts: ['created_at'], filters: {} })
export const RestockProductSearch = z.object({ status: RestockStatus.optional().catch(undefined) })

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

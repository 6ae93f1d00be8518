import { type AnyRoute, createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../app/lazy-page.ts'
import { paths } from '../../app/paths.ts'
import { CustomerSearch, SuppressionSearch } from './search.ts'

export const customerRoutes = (shell: AnyRoute) => [
  createRoute({
    getParentRoute: () => shell,
    path: paths.customers.pattern,
    validateSearch: CustomerSearch,
    component: lazyPage(() => import('./customer-list.tsx'), 'CustomerList'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: paths.customerNew.pattern,
    component: lazyPage(() => import('./customer-edit.tsx'), 'CustomerNew'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: paths.customer.pattern,
    component: lazyPage(() => import('./customer-page.tsx'), 'CustomerPage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: paths.customerEdit.pattern,
    component: lazyPage(() => import('./customer-edit.tsx'), 'CustomerEdit'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: paths.suppressions.pattern,
    validateSearch: SuppressionSearch,
    component: lazyPage(() => import('./suppression-list.tsx'), 'SuppressionList'),
  }),
]

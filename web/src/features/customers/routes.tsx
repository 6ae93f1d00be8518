import { customerFilters, customerSorts } from '@okaeri/contract/customers/view'
import { type AnyRoute, createRoute } from '@tanstack/react-router'
import { z } from 'zod'
import { lazyPage } from '../../app/lazy-page.ts'
import { paths } from '../../app/paths.ts'
import { listSearch } from '../../ui/pages/list-state.ts'

const { q: _, ...filters } = customerFilters
export const CustomerSearch = listSearch({ sorts: customerSorts, filters })
export const SuppressionSearch = listSearch({
  sorts: ['created_at', 'address'],
  filters: {
    state: z.enum(['in_force', 'lifted']),
    reason: z.enum(['hard_bounce', 'soft_bounce', 'complaint', 'manual']),
  },
})

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

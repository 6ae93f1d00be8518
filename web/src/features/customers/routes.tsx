import { type AnyRoute, createRoute } from '@tanstack/react-router'
import { z } from 'zod'
import { lazyPage } from '../../app/lazy-page.ts'
import { paths } from '../../app/paths.ts'
import { listSearch } from '../../ui/list-state.ts'

export const CustomerSearch = listSearch({
  sorts: ['created_at', 'name', 'total_revenue', 'orders_count', 'last_order_at', 'email_sent_count'],
  filters: { marketing: z.enum(['granted', 'not_granted']) },
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
]

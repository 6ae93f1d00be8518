import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { paths } from '../../app/paths.ts'

export const customerRoutes = (shell: AnyRoute) => [
  createRoute({
    getParentRoute: () => shell,
    path: paths.customers.pattern,
    component: lazyRouteComponent(() => import('./customer-list.tsx'), 'CustomerList'),
  }),
]

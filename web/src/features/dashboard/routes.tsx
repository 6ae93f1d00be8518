import { type AnyRoute, createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../app/lazy-page.ts'
import { paths } from '../../app/paths.ts'
import { DashboardSearch } from './search.ts'

export const dashboardRoutes = (shell: AnyRoute) => [
  createRoute({
    getParentRoute: () => shell,
    path: paths.dashboard.pattern,
    validateSearch: DashboardSearch,
    component: lazyPage(() => import('./dashboard.tsx'), 'DashboardPage'),
  }),
]

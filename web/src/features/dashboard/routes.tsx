import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { paths } from '../../app/paths.ts'

export const dashboardRoutes = (shell: AnyRoute) => [
  createRoute({
    getParentRoute: () => shell,
    path: paths.dashboard.pattern,
    component: lazyRouteComponent(() => import('./dashboard.tsx'), 'DashboardPage'),
  }),
]

import { Timespan } from '@okaeri/contract/reports/routes'
import { type AnyRoute, createRoute } from '@tanstack/react-router'
import { z } from 'zod'
import { lazyPage } from '../../app/lazy-page.ts'
import { paths } from '../../app/paths.ts'

export const DashboardSearch = z.object({ timespan: Timespan.optional().catch(undefined) })

export const dashboardRoutes = (shell: AnyRoute) => [
  createRoute({
    getParentRoute: () => shell,
    path: paths.dashboard.pattern,
    validateSearch: DashboardSearch,
    component: lazyPage(() => import('./dashboard.tsx'), 'DashboardPage'),
  }),
]

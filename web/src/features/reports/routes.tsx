import { type AnyRoute, createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../app/lazy-page.ts'
import { paths } from '../../app/paths.ts'
import { ReportSearch } from './search.ts'

export const reportRoutes = (shell: AnyRoute) => [
  createRoute({
    getParentRoute: () => shell,
    path: paths.reports.pattern,
    validateSearch: ReportSearch,
    component: lazyPage(() => import('./report-list.tsx'), 'ReportList'),
  }),
]

import { type AnyRoute, createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../app/lazy-page.ts'
import { paths } from '../../app/paths.ts'
import { listSearch } from '../../ui/pages/list-state.ts'

export const ReportSearch = listSearch({ sorts: ['sent_at'] })

export const reportRoutes = (shell: AnyRoute) => [
  createRoute({
    getParentRoute: () => shell,
    path: paths.reports.pattern,
    validateSearch: ReportSearch,
    component: lazyPage(() => import('./report-list.tsx'), 'ReportList'),
  }),
]

import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { paths } from '../../app/paths.ts'
import { listSearch } from '../../ui/list-state.ts'

export const SegmentSearch = listSearch({ sorts: ['created_at', 'name', 'customer_count'] })

export const segmentRoutes = (shell: AnyRoute) => [
  createRoute({
    getParentRoute: () => shell,
    path: paths.segments.pattern,
    validateSearch: SegmentSearch,
    component: lazyRouteComponent(() => import('./segment-list.tsx'), 'SegmentList'),
  }),
]

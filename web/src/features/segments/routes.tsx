import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { paths } from '../../app/paths.ts'

export const segmentRoutes = (shell: AnyRoute) => [
  createRoute({
    getParentRoute: () => shell,
    path: paths.segments.pattern,
    component: lazyRouteComponent(() => import('./segment-list.tsx'), 'SegmentList'),
  }),
]

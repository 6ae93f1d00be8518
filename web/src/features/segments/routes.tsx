import { type AnyRoute, createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../app/lazy-page.ts'
import { paths } from '../../app/paths.ts'
import { SegmentSearch, SegmentCustomerSearch, SegmentNewSearch } from './search.ts'

export const segmentRoutes = (shell: AnyRoute) => [
  createRoute({
    getParentRoute: () => shell,
    path: paths.segments.pattern,
    validateSearch: SegmentSearch,
    component: lazyPage(() => import('./segment-list.tsx'), 'SegmentList'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: paths.segmentNew.pattern,
    validateSearch: SegmentNewSearch,
    component: lazyPage(() => import('./segment-edit.tsx'), 'SegmentNew'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: paths.segment.pattern,
    validateSearch: SegmentCustomerSearch,
    component: lazyPage(() => import('./segment-page.tsx'), 'SegmentPage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: paths.segmentEdit.pattern,
    component: lazyPage(() => import('./segment-edit.tsx'), 'SegmentEdit'),
  }),
]

import { customerFilters } from '@okaeri/contract/customers/view'
import { SegmentOrigin } from '@okaeri/contract/segments/segment'
import { type AnyRoute, createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../app/lazy-page.ts'
import { paths } from '../../app/paths.ts'
import { listSearch } from '../../ui/pages/list-state.ts'

export const SegmentSearch = listSearch({
  sorts: ['created_at', 'name', 'customer_count'],
  filters: { origin: SegmentOrigin },
})
/** The customers of a segment: search and page stay in the address. */
export const SegmentCustomerSearch = listSearch({ sorts: ['created_at'] })
const { q: _, ...filters } = customerFilters
/** Filters of the customer list, to become conditions; what does not fit is dropped. */
export const SegmentNewSearch = listSearch({
  sorts: ['created_at'],
  filters,
})

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

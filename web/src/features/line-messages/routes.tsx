import { DeliveryKind, DeliveryStatus } from '@okaeri/contract/deliveries/delivery'
import { Day } from '@okaeri/contract/fields'
import { type AnyRoute, createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../app/lazy-page.ts'
import { paths } from '../../app/paths.ts'
import { listSearch } from '../../ui/pages/list-state.ts'

export const LineMessageSearch = listSearch({ sorts: ['created_at', 'updated_at', 'name'] })

export const LineHistorySearch = listSearch({
  sorts: ['created_at'],
  filters: { kind: DeliveryKind, status: DeliveryStatus, from: Day, to: Day },
})

export const lineMessageRoutes = (shell: AnyRoute) => [
  createRoute({
    getParentRoute: () => shell,
    path: paths.lineMessages.pattern,
    validateSearch: LineMessageSearch,
    component: lazyPage(() => import('./line-message-list.tsx'), 'LineMessageList'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: paths.lineMessageNew.pattern,
    component: lazyPage(() => import('./line-message-new.tsx'), 'LineMessageNew'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: paths.lineHistory.pattern,
    validateSearch: LineHistorySearch,
    component: lazyPage(() => import('./line-history.tsx'), 'LineHistory'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: paths.lineMessage.pattern,
    component: lazyPage(() => import('./line-message-page.tsx'), 'LineMessagePage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: paths.lineMessageEdit.pattern,
    component: lazyPage(() => import('./line-message-edit.tsx'), 'LineMessageEdit'),
  }),
]

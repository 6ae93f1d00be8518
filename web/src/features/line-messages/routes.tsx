import { type AnyRoute, createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../app/lazy-page.ts'
import { paths } from '../../app/paths.ts'
import { LineMessageSearch, LineHistorySearch } from './search.ts'

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

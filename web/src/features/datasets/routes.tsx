import { type AnyRoute, createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../app/lazy-page.ts'
import { paths } from '../../app/paths.ts'

export const datasetRoutes = (shell: AnyRoute) => [
  createRoute({
    getParentRoute: () => shell,
    path: paths.data.pattern,
    component: lazyPage(() => import('./dataset-list.tsx'), 'DatasetList'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: paths.dataset.pattern,
    component: lazyPage(() => import('./dataset-page.tsx'), 'DatasetPage'),
  }),
]

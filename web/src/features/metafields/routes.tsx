import { type AnyRoute, createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../app/lazy-page.ts'
import { paths } from '../../app/paths.ts'
import { MetafieldSearch } from './search.ts'

export const metafieldRoutes = (shell: AnyRoute) => [
  createRoute({
    getParentRoute: () => shell,
    path: paths.metafields.pattern,
    validateSearch: MetafieldSearch,
    component: lazyPage(() => import('./metafield-list.tsx'), 'MetafieldList'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: paths.metafieldNew.pattern,
    component: lazyPage(() => import('./metafield-new.tsx'), 'MetafieldNew'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: paths.metafield.pattern,
    component: lazyPage(() => import('./metafield-page.tsx'), 'MetafieldPage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: paths.metafieldEdit.pattern,
    component: lazyPage(() => import('./metafield-edit.tsx'), 'MetafieldEdit'),
  }),
]

import { NamespaceType } from '@okaeri/contract/metafields/metafield'
import { type AnyRoute, createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../app/lazy-page.ts'
import { paths } from '../../app/paths.ts'
import { listSearch } from '../../ui/pages/list-state.ts'

export const MetafieldSearch = listSearch({
  sorts: ['created_at', 'name', 'key', 'value_count'],
  filters: { namespace_type: NamespaceType },
})

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

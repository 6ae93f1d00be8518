import { ImportStatus } from '@okaeri/contract/imports/import'
import { type AnyRoute, createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../app/lazy-page.ts'
import { paths } from '../../app/paths.ts'
import { listSearch } from '../../ui/pages/list-state.ts'

export const ImportSearch = listSearch({ sorts: ['created_at'], filters: { status: ImportStatus } })

export const importRoutes = (shell: AnyRoute) => [
  createRoute({
    getParentRoute: () => shell,
    path: paths.dataImport.pattern,
    validateSearch: ImportSearch,
    component: lazyPage(() => import('./import-list.tsx'), 'ImportList'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: paths.dataImportOne.pattern,
    component: lazyPage(() => import('./import-page.tsx'), 'ImportPage'),
  }),
]

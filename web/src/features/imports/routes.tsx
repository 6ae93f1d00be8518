import { type AnyRoute, createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../app/lazy-page.ts'
import { paths } from '../../app/paths.ts'
import { ImportSearch } from './search.ts'

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

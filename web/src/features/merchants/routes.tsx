import { type AnyRoute, createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../app/lazy-page.ts'
import { paths } from '../../app/paths.ts'
import { SettingsSearch } from './search.ts'

export const merchantRoutes = (shell: AnyRoute) => [
  createRoute({
    getParentRoute: () => shell,
    path: paths.settings.pattern,
    validateSearch: SettingsSearch,
    component: lazyPage(() => import('./settings-page.tsx'), 'SettingsPage'),
  }),
]

import { type AnyRoute, createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../app/lazy-page.ts'
import { paths } from '../../app/paths.ts'
import { MediaSearch } from './search.ts'

export const mediaRoutes = (shell: AnyRoute) => [
  createRoute({
    getParentRoute: () => shell,
    path: paths.media.pattern,
    validateSearch: MediaSearch,
    component: lazyPage(() => import('./media-page.tsx'), 'MediaPage'),
  }),
]

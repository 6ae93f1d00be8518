import { type AnyRoute, createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../app/lazy-page.ts'
import { paths } from '../../app/paths.ts'
import { PrivacySearch } from './search.ts'

export const privacyRoutes = (shell: AnyRoute) => [
  createRoute({
    getParentRoute: () => shell,
    path: paths.privacy.pattern,
    validateSearch: PrivacySearch,
    component: lazyPage(() => import('./privacy-requests.tsx'), 'PrivacyRequests'),
  }),
]

import { type AnyRoute, createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../app/lazy-page.ts'
import { paths } from '../../app/paths.ts'
import { listSearch } from '../../ui/pages/list-state.ts'

export const PrivacySearch = listSearch({ sorts: ['received_at'] })

export const privacyRoutes = (shell: AnyRoute) => [
  createRoute({
    getParentRoute: () => shell,
    path: paths.privacy.pattern,
    validateSearch: PrivacySearch,
    component: lazyPage(() => import('./privacy-requests.tsx'), 'PrivacyRequests'),
  }),
]

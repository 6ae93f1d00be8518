import { type AnyRoute, createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../app/lazy-page.ts'
import { paths } from '../../app/paths.ts'
import { DeliverabilitySearch } from './search.ts'

export const deliverabilityRoutes = (shell: AnyRoute) => [
  createRoute({
    getParentRoute: () => shell,
    path: paths.deliverability.pattern,
    validateSearch: DeliverabilitySearch,
    component: lazyPage(() => import('./deliverability-page.tsx'), 'DeliverabilityPage'),
  }),
]

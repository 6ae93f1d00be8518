import { type AnyRoute, createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../app/lazy-page.ts'
import { paths } from '../../app/paths.ts'
import { AuthorizeSearch, CallbackSearch } from './search.ts'

/** Pages to the store platform and back; before sign-in, outside the shell. */
export const storeRoutes = (root: AnyRoute) => [
  createRoute({
    getParentRoute: () => root,
    path: paths.storeAuthorize.pattern,
    validateSearch: AuthorizeSearch,
    component: lazyPage(() => import('./authorize-page.tsx'), 'AuthorizePage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: paths.storeCallback.pattern,
    validateSearch: CallbackSearch,
    component: lazyPage(() => import('./callback-page.tsx'), 'CallbackPage'),
  }),
]

import { type AnyRoute, createRoute } from '@tanstack/react-router'
import { z } from 'zod'
import { lazyPage } from '../../app/lazy-page.ts'
import { paths } from '../../app/paths.ts'

const text = z.string().optional().catch(undefined)
/** `error` is a reason of the contract: the store's answer was refused. `currency`: what it sells in, if that is why. */
export const AuthorizeSearch = z.object({ shop: text, error: text, currency: text })
/** `code` can be exchanged once. */
export const CallbackSearch = z.object({ code: text })

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

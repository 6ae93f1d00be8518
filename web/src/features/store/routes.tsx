import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { z } from 'zod'
import { paths } from '../../app/paths.ts'

const text = z.string().optional().catch(undefined)
export const AuthorizeSearch = z.object({ shop: text })
/** `code` is good for one exchange; `next` is a page of ours; `error` is a reason of the contract. */
export const CallbackSearch = z.object({ code: text, next: text, error: text })

/** On the way to the store platform and back; before sign-in, outside the shell. */
export const storeRoutes = (root: AnyRoute) => [
  createRoute({
    getParentRoute: () => root,
    path: paths.storeAuthorize.pattern,
    validateSearch: AuthorizeSearch,
    component: lazyRouteComponent(() => import('./authorize-page.tsx'), 'AuthorizePage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: paths.storeCallback.pattern,
    validateSearch: CallbackSearch,
    component: lazyRouteComponent(() => import('./callback-page.tsx'), 'CallbackPage'),
  }),
]

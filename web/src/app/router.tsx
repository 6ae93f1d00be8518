import { createRootRoute, createRoute, createRouter, Outlet, redirect } from '@tanstack/react-router'
import { hasSession } from '../api/session.ts'
import { campaignRoutes } from '../features/campaigns/routes.tsx'
import { comingRoutes } from '../features/coming/routes.tsx'
import { couponRoutes } from '../features/coupons/routes.tsx'
import { customerRoutes } from '../features/customers/routes.tsx'
import { dashboardRoutes } from '../features/dashboard/routes.tsx'
import { datasetRoutes } from '../features/datasets/routes.tsx'
import { deliverabilityRoutes } from '../features/deliverability/routes.tsx'
import { emailRoutes } from '../features/emails/routes.tsx'
import { favoriteRoutes } from '../features/favorites/routes.tsx'
import { importRoutes } from '../features/imports/routes.tsx'
import { lineMessageRoutes } from '../features/line-messages/routes.tsx'
import { mediaRoutes } from '../features/media/routes.tsx'
import { merchantRoutes } from '../features/merchants/routes.tsx'
import { metafieldRoutes } from '../features/metafields/routes.tsx'
import { privacyRoutes } from '../features/privacy/routes.tsx'
import { reportRoutes } from '../features/reports/routes.tsx'
import { restockRoutes } from '../features/restocks/routes.tsx'
import { richMenuRoutes } from '../features/rich-menus/routes.tsx'
import { scenarioRoutes } from '../features/scenarios/routes.tsx'
import { segmentRoutes } from '../features/segments/routes.tsx'
import { sessionRoutes } from '../features/sessions/routes.tsx'
import { storeRoutes } from '../features/store/routes.tsx'
import { PageLoading } from '../ui/states.tsx'
import { NotFound, PageBroken } from './error-pages.tsx'
import { BASE_PATH, paths } from './paths.ts'
import { Shell } from './shell.tsx'

const root = createRootRoute({ component: Outlet })

/** Everything inside needs a session; a visitor without one signs in and returns. */
const shell = createRoute({
  getParentRoute: () => root,
  id: 'shell',
  component: Shell,
  beforeLoad: ({ location }) => {
    if (!hasSession()) throw redirect({ to: paths.login(), search: { next: location.href.replace(BASE_PATH, '') } })
  },
})

const routeTree = root.addChildren([
  ...sessionRoutes(root),
  ...storeRoutes(root),
  shell.addChildren([
    ...dashboardRoutes(shell),
    ...scenarioRoutes(shell),
    ...campaignRoutes(shell),
    ...emailRoutes(shell),
    ...couponRoutes(shell),
    ...customerRoutes(shell),
    ...favoriteRoutes(shell),
    ...metafieldRoutes(shell),
    ...restockRoutes(shell),
    ...lineMessageRoutes(shell),
    ...richMenuRoutes(shell),
    ...mediaRoutes(shell),
    ...segmentRoutes(shell),
    ...privacyRoutes(shell),
    ...datasetRoutes(shell),
    ...importRoutes(shell),
    ...merchantRoutes(shell),
    ...reportRoutes(shell),
    ...deliverabilityRoutes(shell),
    ...comingRoutes(shell),
    createRoute({ getParentRoute: () => shell, path: '$', component: NotFound }),
  ]),
])

/** Queries are plain texts (`?q=123` stays a text); each page's zod schema converts numbers. */
const parseSearch = (text: string) => Object.fromEntries(new URLSearchParams(text))
const stringifySearch = (search: Record<string, unknown>) => {
  const kept = Object.entries(search).filter(([, value]) => value !== undefined && value !== null && value !== '')
  const text = new URLSearchParams(kept.map(([name, value]) => [name, String(value)])).toString()
  return text && `?${text}`
}

export const router = createRouter({
  routeTree,
  basepath: BASE_PATH,
  parseSearch,
  stringifySearch,
  defaultPreload: 'intent',
  scrollRestoration: true,
  // A page whose program is still on its way is seen to be coming.
  defaultPendingComponent: PageLoading,
  defaultPendingMs: 300,
  defaultPendingMinMs: 200,
  defaultNotFoundComponent: NotFound,
  defaultErrorComponent: PageBroken,
})

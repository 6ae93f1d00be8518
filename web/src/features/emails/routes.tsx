import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { paths } from '../../app/paths.ts'

export const emailRoutes = (shell: AnyRoute) => [
  createRoute({
    getParentRoute: () => shell,
    path: paths.emails.pattern,
    component: lazyRouteComponent(() => import('./email-list.tsx'), 'EmailList'),
  }),
]

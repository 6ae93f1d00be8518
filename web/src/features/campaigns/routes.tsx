import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { paths } from '../../app/paths.ts'

export const campaignRoutes = (shell: AnyRoute) => [
  createRoute({
    getParentRoute: () => shell,
    path: paths.campaigns.pattern,
    component: lazyRouteComponent(() => import('./campaign-list.tsx'), 'CampaignList'),
  }),
]

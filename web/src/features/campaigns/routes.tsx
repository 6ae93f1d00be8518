import { type AnyRoute, createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../app/lazy-page.ts'
import { paths } from '../../app/paths.ts'
import { CampaignSearch, CampaignNewSearch } from './search.ts'

export const campaignRoutes = (shell: AnyRoute) => [
  createRoute({
    getParentRoute: () => shell,
    path: paths.campaigns.pattern,
    validateSearch: CampaignSearch,
    component: lazyPage(() => import('./campaign-list.tsx'), 'CampaignList'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: paths.campaignNew.pattern,
    validateSearch: CampaignNewSearch,
    component: lazyPage(() => import('./campaign-form.tsx'), 'CampaignNew'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: paths.campaignEdit.pattern,
    component: lazyPage(() => import('./campaign-form.tsx'), 'CampaignEdit'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: paths.campaignReview.pattern,
    component: lazyPage(() => import('./review/campaign-review.tsx'), 'CampaignReviewPage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: paths.campaign.pattern,
    component: lazyPage(() => import('./campaign-page.tsx'), 'CampaignPage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: paths.campaignReport.pattern,
    component: lazyPage(() => import('./report/campaign-report.tsx'), 'CampaignReportPage'),
  }),
]

import { CampaignStatus } from '@okaeri/contract/campaigns/campaign'
import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { z } from 'zod'
import { paths } from '../../app/paths.ts'
import { listSearch } from '../../ui/list-state.ts'

export const CampaignSearch = listSearch({
  sorts: ['created_at', 'name', 'scheduled_at', 'sent_at'],
  filters: { status: CampaignStatus },
})

/** The segment to begin with, as the page of a segment gives it. */
export const CampaignNewSearch = z.object({ segment: z.string().optional().catch(undefined) })

export const campaignRoutes = (shell: AnyRoute) => [
  createRoute({
    getParentRoute: () => shell,
    path: paths.campaigns.pattern,
    validateSearch: CampaignSearch,
    component: lazyRouteComponent(() => import('./campaign-list.tsx'), 'CampaignList'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: paths.campaignNew.pattern,
    validateSearch: CampaignNewSearch,
    component: lazyRouteComponent(() => import('./campaign-form.tsx'), 'CampaignNew'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: paths.campaignEdit.pattern,
    component: lazyRouteComponent(() => import('./campaign-form.tsx'), 'CampaignEdit'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: paths.campaignReview.pattern,
    component: lazyRouteComponent(() => import('./campaign-review.tsx'), 'CampaignReviewPage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: paths.campaign.pattern,
    component: lazyRouteComponent(() => import('./campaign-page.tsx'), 'CampaignPage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: paths.campaignReport.pattern,
    component: lazyRouteComponent(() => import('./campaign-report.tsx'), 'CampaignReportPage'),
  }),
]

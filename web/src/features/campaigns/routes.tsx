import { CampaignStatus } from '@okaeri/contract/campaigns/campaign'
import { type AnyRoute, createRoute } from '@tanstack/react-router'
import { z } from 'zod'
import { lazyPage } from '../../app/lazy-page.ts'
import { paths } from '../../app/paths.ts'
import { listSearch } from '../../ui/pages/list-state.ts'

export const CampaignSearch = listSearch({
  sorts: ['created_at', 'name', 'scheduled_at', 'sent_at'],
  filters: { status: CampaignStatus },
})

const given = z.string().optional().catch(undefined)
/** What to begin with, as the page of a segment, an email or a LINE message gives it. */
export const CampaignNewSearch = z.object({ segment: given, email: given, line_message: given })

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

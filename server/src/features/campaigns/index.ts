export { mailBrakeWarning, mailCanaryWarning } from './canary-warning.ts'
export {
  askAfterOutage,
  campaignWork,
  countCustomersMail,
  resumeKnown,
  takeUnsentForUncertain,
} from './campaign-progress.ts'
export { findCampaign } from './queries.ts'
export { campaignRoutes } from './routes.ts'
export { knownCampaigns, listCampaignsUsing } from './usage-queries.ts'

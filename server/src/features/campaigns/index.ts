export { askAfterOutage, campaignWork, countCustomersMail, goOnWithKnown, takeUnsentForUncertain } from './driving.ts'
export { findCampaign } from './queries.ts'
export { campaignRoutes } from './routes.ts'
export { knownCampaigns, listCampaignsUsing } from './usage-queries.ts'

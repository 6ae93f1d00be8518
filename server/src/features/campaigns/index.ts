export { askAfterOutage, campaignWork, countCustomersMail } from './driving.ts'
export { campaignRoutes } from './routes.ts'
export { knownCampaigns, listCampaignsUsing } from './usage-queries.ts'

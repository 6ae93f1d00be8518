export { askAfterOutage, campaignWork, countCustomersMail } from './driving.ts'
export { campaignRoutes } from './routes.ts'
export { listCampaignsUsing } from './usage-queries.ts'

export { listCampaignsUsing } from './usage-queries.ts'

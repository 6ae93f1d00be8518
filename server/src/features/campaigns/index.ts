export { mailTestQuestion } from './ab-test/ab-test-question.ts'
export { mailCircuitBreakerWarning, mailCanaryWarning } from './safeguards/canary-warning.ts'
export {
  askAfterOutage,
  campaignWork,
  countCustomersMail,
  resumeKnown,
  markUnsentAsUncertain,
} from './campaign-progress.ts'
export { phaseOf } from './ab-test/ab-test.ts'
export { findCampaign } from './queries.ts'
export { storeMadeCodes } from './own-codes/own-codes.ts'
export { campaignRoutes } from './routes.ts'
export { knownCampaigns, listCampaignsUsing } from './usage-queries.ts'

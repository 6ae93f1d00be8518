export { meetAgain, recallFor } from './erased-consents.ts'
export { consentPersonalData, deleteOldProofs } from './personal-data-queries.ts'
export {
  changeConsent,
  changeConsentByAddress,
  changeConsents,
  forgetCustomer,
  joinConsents,
  listConsentChanges,
  recordPermissions,
  withdrawByAddress,
} from './consent.ts'
export { type ConsentSource, consentSources, readStoreConsent } from './consent-rule.ts'
export { whyNotMailable } from './eligibility-sql.ts'
export { type FirstConsentRows, firstConsents } from './imported-consents.ts'
export { deleteEndedPauses, endPause, findPause, pauseMarketing, PAUSE_MONTHS } from './pause.ts'
export { pushConsent, pushConsentLater, pushConsents } from './jobs.ts'
export { consentRoutes } from './routes.ts'
export { findSuppressionInForce, liftSuppression, mayBeSuppressed, suppress, suppressionsOf } from './suppression.ts'

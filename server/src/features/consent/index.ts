export { recognizeErased, recallFor } from './erased-consents.ts'
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
export { pauseMarketing, PAUSE_MONTHS } from './pause.ts'
export { pushConsent, pushConsentLater, pushConsents } from './jobs.ts'
export { consentRoutes } from './routes.ts'
export { findSuppressionInForce, liftSuppression, suppress, suppressionsOf } from './suppression.ts'
export {
  deletePause as endPause,
  selectPause as findPause,
  deleteOverPauses as deleteEndedPauses,
} from './pause-queries.ts'
export { hasNotDecidedSince as mayBeSuppressed } from './suppression-queries.ts'

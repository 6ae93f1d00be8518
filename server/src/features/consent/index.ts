export {
  changeConsent,
  changeConsentByAddress,
  changeConsents,
  forgetCustomer,
  listConsentChanges,
  recordPermissions,
  withdrawByAddress,
} from './consent.ts'
export { type ConsentSource, readStoreConsent } from './consent-rule.ts'
export { isDuplicateAddress, whyNotMailable } from './eligibility-sql.ts'
export { pushConsent, pushConsentLater } from './jobs.ts'
export { liftSuppression, suppress, suppressionsOf } from './suppression.ts'

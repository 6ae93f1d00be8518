import { continueImport, mailImportEnd } from '../features/data-import/index.ts'
import { advanceSyncJob, checkStore, fetchCollection } from '../features/data-sync/index.ts'
import {
  countCustomersMail,
  mailCircuitBreakerWarning,
  mailCanaryWarning,
  mailTestQuestion,
} from '../features/campaigns/index.ts'
import { clearCarts, clearViews } from '../features/behavior/index.ts'
import { pushConsent, pushConsents } from '../features/consent/index.ts'
import { checkComplaints, mailComplaintWarning } from '../features/deliverability/index.ts'
import { mailDomainWarning } from '../features/sender-domains/index.ts'
import {
  calculateAllSegments,
  calculateSegment,
  fetchRemoteMembers,
  forgetDeletedSegment,
  listRemoteSegments,
  scoreCustomers,
} from '../features/segments/index.ts'
import { measureEmails } from '../features/emails/index.ts'
import { changeTagsOfMany, refreshSearch, sendLanguage } from '../features/customers/index.ts'
import {
  advanceMetafieldFill,
  dropMetafieldValues,
  pushBirthday,
  readAllBirthdays,
  recountMetafield,
  rereadMetafield,
} from '../features/metafields/index.ts'
import { readFollowers } from '../features/line-friends/index.ts'
import { recountRecipients } from '../features/deliveries/index.ts'
import { mailConfirmationLink } from '../features/merchants/index.ts'
import { mailNotice, mailResetLink } from '../features/sessions/index.ts'
import { mailAboutRegistration } from '../features/restock-waves/index.ts'
import { mailSubscribeLink, mailUnsubscribeLink, signUp, grantLater } from '../features/subscriptions/index.ts'
import { mailFileReady } from '../features/privacy/index.ts'
import { recountReaders } from '../features/tracking/index.ts'
import { changeManyExecutions, recalculateWaits } from '../features/executions/index.ts'
import { runRehearsal } from '../features/rehearsals/index.ts'
import { mailStepWarning, moveExecutions } from '../features/scenarios/index.ts'
import { checkAwaitedEvents, renewFailedCoupons } from '../features/steps/index.ts'
import type { Job } from '../kernel/context.ts'

/** Everything that is done later, outside a request. A job that is not here is never worked. */
export const jobs = [
  mailFileReady,
  advanceSyncJob,
  checkStore,
  fetchCollection,
  continueImport,
  mailImportEnd,
  countCustomersMail,
  mailCanaryWarning,
  mailCircuitBreakerWarning,
  mailStepWarning,
  checkComplaints,
  mailComplaintWarning,
  mailTestQuestion,
  recountReaders,
  recountRecipients,
  pushConsent,
  pushConsents,
  refreshSearch,
  changeTagsOfMany,
  sendLanguage,
  calculateSegment,
  calculateAllSegments,
  forgetDeletedSegment,
  listRemoteSegments,
  fetchRemoteMembers,
  scoreCustomers,
  advanceMetafieldFill,
  dropMetafieldValues,
  pushBirthday,
  readAllBirthdays,
  recountMetafield,
  rereadMetafield,
  measureEmails,
  mailResetLink,
  mailNotice,
  mailConfirmationLink,
  mailDomainWarning,
  mailSubscribeLink,
  mailUnsubscribeLink,
  mailAboutRegistration,
  grantLater,
  signUp,
  clearCarts,
  clearViews,
  changeManyExecutions,
  moveExecutions,
  renewFailedCoupons,
  checkAwaitedEvents,
  runRehearsal,
  recalculateWaits,
  readFollowers,
] as const satisfies readonly Job<never>[]

export {
  type Answer,
  type Bounce,
  type Channel,
  type Channels,
  type ClaimedForScenario,
  type ComposedBatch,
  type Composer,
  type Connection,
  type ContentState,
  channelOf,
  stepContentsOf,
  type FilledRow,
  type FillingResult,
  failedResult,
  type JudgedAnswer,
  type PostponedOrSkipped,
  type NoContent,
  type Outgoing,
  type PacedRows,
  type Pause,
  type PreparedContent,
  resultDefaults,
  type Result,
  type StepContent,
  type Tracking,
  type WithheldAnswer,
} from './channel.ts'
export { isRecipientOf } from './audience-sql.ts'
export {
  listWithoutVariables,
  markAwaitsCodes,
  replaceCodes,
  setVariables,
  withholdCodes,
} from './campaign-variables-queries.ts'
export { BOUNCE_TOKEN_LENGTH, makeTokens, readBounceToken } from './bounce-token.ts'
export { whyNotContactable } from './contact-rule.ts'
export { recountRecipients } from './sending/scenario-counts.ts'
export {
  balanceOf,
  forgetRecipient,
  joinDeliveries,
  recordReceipt,
  recordTestDeliveries,
  requeueDeliveries,
} from './delivery.ts'
export { deliveriesOfSteps, listCampaignDeliveries, listScenarioDeliveries } from './delivery-list.ts'
export { type BounceKind, type FirstOutcome, type Outcome, type OutcomeKind, recordOutcomes } from './outcomes.ts'
export {
  type Audience,
  countAudience,
  countReached,
  countSkippedByCap,
  freezeAudience,
  moveRecipients,
  recheckAudience,
} from './audience.ts'
export {
  cancelMessage,
  freezeMessage,
  holdMessage,
  releaseMessage,
  copyMessageContent,
  withdrawMessage,
} from './message.ts'
export { transmitLogFiles } from './transmit-log/transmit-log-files.ts'
export { describeHold, type Hold, presentHold } from './restore-hold.ts'
export { findChannelPause, findSendHold, waitsForLeavingTestMode } from './send-holds.ts'
export type { ClaimedRow, ResultRow } from './rows.ts'
export { type LinkToken, makeLinkToken, readLinkToken } from './link-token.ts'
export { deliveryPersonalData } from './personal-data-queries.ts'
export { countWaiting } from './queries.ts'
export { resumeAfterQuota } from './pause-queries.ts'
export { findMessage, hasUnfinished, hasUntried, listCampaignMessages } from './message-queries.ts'
export type { MessageRow } from './rows.ts'
export { countSentByBucket, listRecipients, sumUpMails } from './reading-queries.ts'
export {
  cancelMessagesOfExecutions,
  cancelScenarioMessages,
  countUncertainOf,
  holdScenarioMessages,
  insertScenarioDeliveries,
  listExecutionsWithWaitingMessages,
  type SendingNode,
  messageForNode,
  type NodeMessage,
  releaseScenarioMessages,
  type ScenarioRecipient,
  sendUncertainAgain,
} from './scenario-steps/scenario-messages.ts'
export { reopenMessage } from './scenario-steps/scenario-queries.ts'
export { markRefusedStepsTroubled, releaseStep } from './scenario-steps/step-circuit-breaker.ts'
export { isStepHeld, listHeldSteps, resultOfRows } from './scenario-steps/step-circuit-breaker-queries.ts'
export { deliveryWork } from './schedule.ts'
export { findUnconfirmed } from './sending/sending.ts'
export { findStoppage } from './sending/stoppage.ts'
export { isRedirected } from './sending/time-slice.ts'
export { deliveryColumns, deliveryRecipient, deliveryJoins, deliveryTitle } from './view-sql.ts'
export { compareWithJournals, mayReachPeople } from './transmit-log/witness.ts'
export {
  markScenariosUncertain,
  markUnsentUncertain,
  readHold,
  releaseHold,
} from './transmit-log/witness-queries.ts'

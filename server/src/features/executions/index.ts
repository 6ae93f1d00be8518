export {
  askAboutDueWakeUps,
  changeManyExecutions,
  endAllExecutions,
  playFailed,
  resolveFailed,
  resumeStopped,
  sendLate,
  skipLate,
} from './bulk-change.ts'
export { countAtNodes, countExecutions, countStuck } from './count-queries.ts'
export { resumeWithCoupons } from './coupon-reactions.ts'
export {
  type ClaimedEffect,
  type Effect,
  type EffectSubject,
  findEffectSubject,
  insertEffects,
  leaseEffects,
  lockDueEffects,
  markEffectsStopped,
  releaseEffects,
  selectEffects,
  updateEffect,
} from './effect-queries.ts'
export { listUnfinished, markLate } from './ending-queries.ts'
export { endExecutions, withdrawMails } from './ending.ts'
export { distinctRows } from './distinct-rows-sql.ts'
export { executionPersonalData } from './execution-personal-data-queries.ts'
export {
  executionsKnown,
  isExecutionOf,
  reassignExecutions,
  reassignGuestExecutions,
  selectDoubled,
} from './execution-queries.ts'
export {
  changeWakeUp,
  deleteExecution,
  getExecution,
  listExecutions,
  pauseExecution,
  playExecution,
  resolveExecution,
  restartExecution,
} from './execution.ts'
export { executionRows, knownScenarios } from './membership-queries.ts'
export { markDirty, markDirtyById } from './membership.ts'
export {
  type Place,
  countPassed,
  countPlaces,
  lockOnTheirWay,
  moveExecutionRows,
  selectPlaces,
} from './moving-queries.ts'
export { isOutage } from './outage.ts'
export {
  type Renewal,
  type ExecutionWithoutCoupon,
  countCouponFailures,
  lockCouponFailures,
  renewExecutionRows,
} from './renewal-queries.ts'
export {
  BEGINNING,
  type CountRow,
  type DueRow,
  type FoundRow,
  type NewExecution,
  type StateRow,
  type StepRow,
  addNodeCounts,
  claimDueExecutions,
  countWaitingAtSteps,
  insertExecutions,
  insertSteps,
  limitLockWaits,
  markStopped,
  updateStates,
  wakeByEvents,
  wakeNow,
  wakeStep,
} from './step-queries.ts'
export { forgetKeptEvents, keepEvents } from './kept-event-queries.ts'
export { redactLooksOfExecutions, redactLooksOfMerged } from './kept-looks.ts'
export { removeOldHistories } from './old-histories.ts'
export { recalculateWaits, recalculateWaitsLater } from './time-zone.ts'

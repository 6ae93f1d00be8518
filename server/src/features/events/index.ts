export { recordEvents } from './event.ts'
export type { NewEvent } from './queries.ts'
export {
  eventsOfFavorites,
  forgetEvents,
  joinEvents,
  mergeEvents,
  recordConsentGiven,
  recordCouponUsed,
  recordCustomerCreated,
  recordLineFollowed,
  recordLineMessage,
  recordOrderCancelled,
  recordOrdersCreated,
  recordOrdersFulfilled,
  recordOrdersPaid,
  recordSegmentEntered,
  recordSegmentLeft,
  redactLooksOfWithdrawn,
} from './event-recording.ts'
export { eventPersonalData } from './personal-data-queries.ts'
export {
  type ClaimedEvent,
  claimEvents,
  deleteEvents,
  findLastEvent,
  listEventsOfKind,
  listEventsByIds,
  listOldEvents,
  markEvaluated,
} from './queries.ts'
export { eventRoutes } from './routes.ts'

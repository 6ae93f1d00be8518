export { type NewEvent, recordEvents } from './event.ts'
export {
  forgetEvents,
  joinEvents,
  mergeEvents,
  recordConsentGiven,
  recordCouponUsed,
  recordCustomerCreated,
  recordFavoritesAdded,
  recordLineFollowed,
  recordLineMessage,
  recordOrderCancelled,
  recordOrdersCreated,
  recordOrdersFulfilled,
  recordOrdersPaid,
  recordSegmentEntered,
  recordSegmentLeft,
} from './event-recording.ts'
export { eventPersonalData } from './personal-data-queries.ts'
export {
  claimEvents,
  type ClaimedEvent,
  deleteEvents,
  findLastEvent,
  listEventsByIds,
  listOldEvents,
  markEvaluated,
} from './queries.ts'
export { eventRoutes } from './routes.ts'

export { orderPersonalData } from './personal-data-queries.ts'
export {
  countUsualIntervals,
  findUsualIntervals,
  learnIntervals,
  learnIntervalsAgain,
  learnIntervalsEachNight,
} from './interval.ts'
export {
  applyRefund,
  joinOrders,
  listCustomerOrders,
  listKnownStoreOrders,
  listStoreOrderIds,
  type PlacedOrder,
  recountAllOrders,
  removeStoreOrders,
  type StoreOrder,
  upsertStoreOrders,
} from './order.ts'

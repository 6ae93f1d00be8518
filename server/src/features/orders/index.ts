export { orderPersonalData } from './personal-data-queries.ts'
export { learnIntervals, learnIntervalsAgain, learnIntervalsEachNight } from './interval.ts'
export {
  applyRefund,
  joinOrders,
  listCustomerOrders,
  type PlacedOrder,
  recountAllOrders,
  removeStoreOrders,
  upsertStoreOrders,
} from './order.ts'
export type { StoreOrder } from './queries.ts'
export { selectIntervals as findUsualIntervals, countIntervals as countUsualIntervals } from './interval-queries.ts'
export { selectKnownOrders as listKnownStoreOrders, selectOrderIds as listStoreOrderIds } from './queries.ts'

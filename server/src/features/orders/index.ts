export { orderHoldings } from './held-queries.ts'
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

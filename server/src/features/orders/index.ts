export {
  applyRefund,
  joinOrders,
  listCustomerOrders,
  listKnownStoreOrders,
  listStoreOrderIds,
  recountAllOrders,
  removeStoreOrders,
  type StoreOrder,
  upsertStoreOrders,
} from './order.ts'

export { applyRefund, listCustomerOrders, type StoreOrder, upsertStoreOrders } from './order.ts'

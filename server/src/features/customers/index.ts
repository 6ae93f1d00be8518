export { createCustomer, getCustomerView, listCustomerViews, removeStoreCustomer } from './customer.ts'
export {
  setEmailsSent,
  getConsentFlagsForUpdate,
  listCustomerIdsByAddress,
  recountOrders,
  setConsentFlags,
} from './projections.ts'
export type { ConsentFlag, OrderSums } from './queries.ts'
export { customerRoutes } from './routes.ts'
export { searchWords } from './search-text.ts'
export {
  changeStoreTags,
  findStoreCustomers,
  readSyncCustomer,
  type StoreCustomer,
  upsertStoreCustomers,
} from './store-customers.ts'

export { anybodyForgotten, findErased, findForgotten, findOptedOut, markOptedOut } from './erased.ts'
export { customerPersonalData, findCustomersOfPerson } from './personal-data-queries.ts'
export { setBirthdays } from './birthday-queries.ts'
export {
  bringStoreCustomer,
  createCustomer,
  createCustomerHere,
  getCustomerView,
  listCustomerViews,
  removeStoreCustomer,
} from './customer.ts'
export { customerColumns, type CustomerInFile } from './file.ts'
export { refreshSearch, refreshSearchLater } from './finding.ts'
export { findImported, importCustomers, type ImportedRows, importedRows, ImportRaced } from './imported-customers.ts'
export type { ImportedPerson } from './imported-person.ts'
export { listConflicts } from './conflict.ts'
export {
  getConsentFlagsForUpdate,
  listCustomerIdsByAddress,
  recountMails,
  recountOrders,
  setConsentFlags,
} from './projections.ts'
export type { ConsentFlag, MailSums, OrderSums } from './queries.ts'
export { customerRoutes } from './routes.ts'
export { selectFound, textMatches } from './search-queries.ts'
export { searchWords } from './search-text.ts'
export { listSelected } from './selecting.ts'
export { changeTagsOfMany } from './tag-changes.ts'
export {
  changeStoreTags,
  findStoreCustomers,
  readSyncCustomer,
  type StoreCustomer,
  upsertStoreCustomers,
} from './store-customers.ts'
export { emailKeyOf, provinceCodeOf } from './naming.ts'
export {
  type CopiedCustomer,
  type CopiedRows,
  copiedRows,
  differs,
  isOutdated,
  listKnownCopies,
  listStoreCustomerIds,
  withoutAddedHere,
} from './copying.ts'
export { mergeStoreCustomers } from './merging.ts'

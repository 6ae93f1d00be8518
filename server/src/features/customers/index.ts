export {
  findErased,
  findErasedLine,
  findForgotten,
  findOptedOut,
  markLineErased,
  markOptedOut,
} from './erasure-marks.ts'
export { customerPersonalData, findCustomersOfPerson } from './personal-data-queries.ts'
export { setBirthdays } from './birthday-queries.ts'
export { changeCustomer, createCustomer, createCustomerHere, removeStoreCustomer, setOwnBirthday } from './customer.ts'
export { bringStoreCustomer, getSignedInCustomer } from './customer-in-store.ts'
export { getCustomerView, listCustomerViews } from './customer-view.ts'
export { customerColumns, type CustomerInFile, otherCurrenciesColumn } from './customer-export.ts'
export { sendLanguage, sendUnsentLanguages, setOwnLanguage } from './own-language.ts'
export { refreshSearch, refreshSearchLater } from './list/search-index.ts'
export {
  findImported,
  importCustomers,
  type ImportedRows,
  importedRows,
  ImportRaced,
} from './incoming/imported-customers.ts'
export type { ImportedPerson } from './incoming/imported-person.ts'
export { listConflicts } from './conflict.ts'
export { recountMails, recountOrders, setConsentFlags } from './projections.ts'
export type { ConsentFlag, MailSums, OrderSums } from './queries.ts'
export { customerRoutes } from './routes.ts'
export { selectFound, textMatches } from './list/search-queries.ts'
export { searchWords } from './list/search-text.ts'
export { listSelected } from './list/selection.ts'
export { changeTagsOfMany } from './tags/tag-changes.ts'
export {
  changeStoreTags,
  findStoreCustomers,
  readSyncCustomer,
  upsertStoreCustomers,
} from './incoming/store-customers.ts'
export type { StoreCustomer } from './queries.ts'
export { emailKeyOf, provinceCodeOf } from './derived-fields.ts'
export {
  type CopiedCustomer,
  type CopiedRows,
  copiedRows,
  differs,
  isOutdated,
  withoutAddedHere,
} from './incoming/store-copy.ts'
export { mergeCustomers, mergeStoreCustomers } from './customer-merge.ts'
export {
  addLineCustomer,
  isKnownByLineOnly,
  nameLineCustomer,
  replaceLineConnections,
  setLineConnection,
} from './line-customer.ts'
export { receivesVariant, primaryLanguageOf } from './language-sql.ts'
export { hasErasedMarks as hasErasureMarks } from './erasure-mark-queries.ts'
export {
  lockExisting as holdCustomer,
  lockFlags as getConsentFlagsForUpdate,
  selectIdsByAddress as listCustomerIdsByAddress,
} from './queries.ts'
export {
  selectKnownCopies as listKnownCopies,
  selectStoreCustomerIds as listStoreCustomerIds,
} from './incoming/store-copy-queries.ts'

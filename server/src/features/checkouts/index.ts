export { checkoutPersonalData } from './personal-data-queries.ts'
export {
  completeBaskets,
  disownBaskets,
  joinCheckouts,
  joinGuestBaskets,
  listKnownStoreCheckouts,
  removeStoreCheckout,
  type StoreCart,
  type StoreCheckout,
  upsertStoreCart,
  upsertStoreCheckouts,
} from './checkout.ts'

export { checkoutPersonalData } from './personal-data-queries.ts'
export {
  completeBaskets,
  disownBaskets,
  joinCheckouts,
  joinGuestBaskets,
  removeStoreCheckout,
  type StoreCart,
  type StoreCheckout,
  upsertStoreCart,
  upsertStoreCheckouts,
} from './checkout.ts'
export { selectKnownCheckouts as listKnownStoreCheckouts } from './queries.ts'

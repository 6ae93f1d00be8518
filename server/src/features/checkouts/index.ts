export { checkoutPersonalData } from './personal-data-queries.ts'
export {
  completeBaskets,
  detachBaskets,
  joinCheckouts,
  joinGuestBaskets,
  removeStoreCheckout,
  upsertStoreCart,
  upsertStoreCheckouts,
} from './checkout.ts'
export type { StoreCart, StoreCheckout } from './queries.ts'
export { selectKnownCheckouts as listKnownStoreCheckouts } from './queries.ts'

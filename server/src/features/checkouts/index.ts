export { checkoutHoldings } from './held-queries.ts'
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

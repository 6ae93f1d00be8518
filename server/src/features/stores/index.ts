export { endStoreSignIn, listConnectedStores, markUnderReview, type StoreRow, storeSignsIn } from './queries.ts'
export {
  connectSandboxStore,
  connectStore,
  disconnectStore,
  findMerchantByShop,
  findStore,
  presentStore,
  readShop,
  reencryptStoreTokens,
  type Shop,
} from './store.ts'
export {
  proxiedAddress,
  readSessionToken,
  readShopper,
  SESSION_TOKEN_SECONDS,
  type Shopper,
  signInAddress,
  storefrontAddress,
} from './shopper.ts'
export { getStoreClient, type StoreClient } from './store-client.ts'

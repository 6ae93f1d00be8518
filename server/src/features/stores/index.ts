export {
  endStoreSignIn,
  listConnectedStores,
  markUnderReview,
  type StoreRow,
  storeSignsIn,
  findStoreRow as findStore,
  findMerchantIdByShop as findMerchantByShop,
} from './queries.ts'
export {
  connectSandboxStore,
  connectStore,
  disconnectStore,
  learnStoreCurrency,
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

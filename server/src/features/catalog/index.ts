export {
  listKnownStoreCollections,
  listStoreCollectionIds,
  removeStoreCollections,
  type StoreCollection,
  upsertStoreCollections,
} from './collection.ts'
export {
  listKnownStoreProducts,
  listStoreProductIds,
  removeStoreProduct,
  removeStoreProducts,
  type StoreProduct,
  upsertStoreProducts,
} from './product.ts'
export {
  type ProductOnSale,
  selectHiddenHandles as listHiddenHandles,
  selectProductsOnSale as listProductsOnSale,
} from './queries.ts'
export { catalogRoutes } from './routes.ts'
export {
  askForStock,
  askForUnknownStock,
  lookAtStock,
  lookAtStockLater,
  type OnlineStock,
  setOnlineStock,
  type StockChange,
} from './stock.ts'
export { rememberStoreValues } from './store-value.ts'

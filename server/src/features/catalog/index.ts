export { removeStoreCollections, type StoreCollection, upsertStoreCollections } from './collection.ts'
export { removeStoreProduct, type StoreProduct, upsertStoreProducts } from './product.ts'
export {
  type ProductOnSale,
  selectHiddenHandles as listHiddenHandles,
  selectProductsOnSale as listProductsOnSale,
  markDeleted as removeStoreProducts,
  selectKnownProducts as listKnownStoreProducts,
  selectLiveProductIds as listStoreProductIds,
} from './queries.ts'
export { catalogRoutes } from './routes.ts'
export {
  askForStock,
  lookAtStock,
  lookAtStockLater,
  type OnlineStock,
  setOnlineStock,
  type StockChange,
} from './stock.ts'
export { rememberStoreValues } from './store-value.ts'
export {
  selectKnownCollections as listKnownStoreCollections,
  selectLiveCollectionIds as listStoreCollectionIds,
} from './collection-queries.ts'
export { insertLooksOfUnknown as askForUnknownStock } from './stock-queries.ts'

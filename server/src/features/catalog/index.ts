export { removeStoreCollections, upsertStoreCollections } from './collection.ts'
export type { StoreCollection } from './collection-queries.ts'
export { removeStoreProduct, upsertStoreProducts } from './product.ts'
export type { StoreProduct } from './queries.ts'
export {
  forgetPrices,
  type ProductOnSale,
  selectHiddenHandles as listHiddenHandles,
  selectProductsOnSale as listProductsOnSale,
  markDeleted as removeStoreProducts,
  selectKnownProducts as listKnownStoreProducts,
  selectLiveProductIds as listStoreProductIds,
} from './queries.ts'
export { catalogRoutes } from './routes.ts'
export { askForStock, checkStock, requestStockCheck, setOnlineStock, type StockChange } from './stock.ts'
export type { OnlineStock } from './stock-queries.ts'
export { rememberStoreValues } from './store-value.ts'
export {
  selectKnownCollections as listKnownStoreCollections,
  selectLiveCollectionIds as listStoreCollectionIds,
} from './collection-queries.ts'
export { insertLooksOfUnknown as askForUnknownStock } from './stock-queries.ts'

export { removeStoreProduct, type StoreProduct, upsertStoreProducts } from './product.ts'
export { catalogRoutes } from './routes.ts'

export { restockHoldings } from './held-queries.ts'
export {
  addRestockRequests,
  disownRestocksOf,
  joinRestocks,
  mergeRestocks,
  type RestockRegistration,
} from './restock.ts'
export { restockRoutes } from './routes.ts'

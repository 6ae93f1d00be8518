export {
  addRestockRequests,
  disownRestocksOf,
  joinRestocks,
  listRestockRequestsOf,
  type RestockRegistration,
} from './restock.ts'
export { restockRoutes } from './routes.ts'

export { restockPersonalData } from './personal-data-queries.ts'
export {
  addRestockRequests,
  disownRestocksOf,
  joinRestocks,
  mergeRestocks,
  type RestockRegistration,
} from './restock.ts'
export { restockRoutes } from './routes.ts'

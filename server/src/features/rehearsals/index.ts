export { rehearsalHoldings } from './rehearsal-held-queries.ts'
export { rehearsalRoutes } from './rehearsal-routes.ts'
export { runRehearsal } from './rehearsal.ts'

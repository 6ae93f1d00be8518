export { rehearsalPersonalData } from './rehearsal-personal-data-queries.ts'
export { rehearsalRoutes } from './rehearsal-routes.ts'
export { runRehearsal } from './rehearsal.ts'

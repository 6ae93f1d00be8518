export { lineLoginPersonalData } from './personal-data-queries.ts'
export { lineLoginRoutes } from './routes.ts'

export { datasetRoutes } from './routes.ts'

export { scenarioRoutes } from './routes.ts'

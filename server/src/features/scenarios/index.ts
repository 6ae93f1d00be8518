export { advanceExecutions } from './advancing.ts'
export { scenarioRoutes } from './routes.ts'

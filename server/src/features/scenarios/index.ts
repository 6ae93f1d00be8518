export { scenarioMailRoutes } from './mail-routes.ts'
export { goOnWithKnownMail } from './mail.ts'
export { moveExecutions } from './moving.ts'
export { scenarioRoutes } from './routes.ts'

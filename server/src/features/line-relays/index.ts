export { lineRelayPersonalData } from './personal-data-queries.ts'
export { passOnLater } from './relay.ts'
export { lineRelayRoutes } from './routes.ts'
export { lineRelayWork } from './schedule.ts'

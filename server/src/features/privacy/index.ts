export { privacyHoldings } from './held-queries.ts'
export { mailFileReady } from './jobs.ts'
export { privacyRoutes } from './routes.ts'
export { privacyWork } from './schedule.ts'

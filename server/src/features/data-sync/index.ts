export { advanceSyncJob } from './jobs.ts'
export { dataSyncRoutes } from './routes.ts'
export { dataSyncWork } from './schedule.ts'
export { copyConnectedStore, endSyncOfLostStore } from './sync.ts'

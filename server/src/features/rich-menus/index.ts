export { lookSoon as lookAtRichMenus } from './look-queries.ts'
export { richMenuRoutes } from './routes.ts'
export { richMenuWork } from './schedule.ts'

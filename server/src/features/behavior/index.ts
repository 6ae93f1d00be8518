export { behaviorPersonalData } from './personal-data-queries.ts'
export { behaviorRoutes } from './routes.ts'
export { behaviorWork } from './schedule.ts'
export { clearViews, clearViewsLater, forgetViews, forgetViewsOfWithdrawn, mergeViews } from './view.ts'

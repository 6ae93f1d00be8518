export { mayKeepLooks, withdrawnCustomers } from './permission.ts'
export { behaviorPersonalData } from './personal-data-queries.ts'
export { behaviorRoutes } from './routes.ts'
export { lockPermitted } from './recording-queries.ts'
export { behaviorWork } from './schedule.ts'
export {
  clearBehaviorLater,
  clearCarts,
  clearViews,
  emptyOrderedCarts,
  forgetBehavior,
  forgetBehaviorOfWithdrawn,
  mergeBehavior,
} from './forgetting.ts'

export { subscriptionRoutes } from './routes.ts'
export { mailUnsubscribeLink, workOffSubscription } from './storefront.ts'

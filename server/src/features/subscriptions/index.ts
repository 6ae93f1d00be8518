export { subscriptionRoutes } from './routes.ts'
export { mailSubscribeLink, mailUnsubscribeLink } from './storefront.ts'
export { takeUpLater } from './subscription.ts'

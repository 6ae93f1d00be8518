export { subscriptionRoutes } from './routes.ts'
export { mailSubscribeLink, mailUnsubscribeLink } from './storefront.ts'
export { setLanguageLater, takeUpLater } from './subscription.ts'

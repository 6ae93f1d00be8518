export { consentFacts } from './permission.ts'
export { subscriptionRoutes } from './routes.ts'
export { mailSubscribeLink, mailUnsubscribeLink, scopeOfShop, signUp } from './storefront.ts'
export { grantLater } from './subscription.ts'

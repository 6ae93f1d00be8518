export { consentFacts } from './permission.ts'
export { subscriptionRoutes } from './routes.ts'
export { mailSubscribeLink, mailUnsubscribeLink, scopeOfShop, signUp } from './storefront.ts'
export { setLanguageLater, takeUpLater } from './subscription.ts'

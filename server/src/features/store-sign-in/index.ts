export { storeSignInRoutes } from './routes.ts'
export { takeStoreCurrency } from './store-currency.ts'

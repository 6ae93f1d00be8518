export { storeSignInRoutes } from './routes.ts'

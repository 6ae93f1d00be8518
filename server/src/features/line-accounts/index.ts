export { reencryptLineSecrets } from './account.ts'
export { lineAccountRoutes } from './routes.ts'
export { getLineToken } from './token.ts'

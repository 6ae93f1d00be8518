export { changeLineAccount, disconnectLine, presentLineAccount, reencryptLineSecrets } from './account.ts'
export { setLineWebhook } from './check.ts'
export {
  addReserved,
  findLineAccount,
  isLineConnected,
  markLineTrouble,
  markWebhookArrives,
  readReservedTotal,
} from './queries.ts'
export { type LoginFriendship, getLoginChannel, recordLogin } from './login-channel.ts'
export { lineAccountRoutes } from './routes.ts'
export { askWithToken, getLineToken } from './token.ts'

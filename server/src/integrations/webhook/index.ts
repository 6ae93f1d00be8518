export { callWebhook, isPrivate } from './call.ts'

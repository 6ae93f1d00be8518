export { callWebhook, isPrivate } from './call.ts'
export { createNames } from './names.ts'

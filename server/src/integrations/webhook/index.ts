export { addressOfHost, callWebhook, isPrivate, postChecked } from './call.ts'
export { createNames } from './names.ts'

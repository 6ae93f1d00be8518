export { callWebhook, isPrivate, signatureOf, type WebhookCall } from './call.ts'

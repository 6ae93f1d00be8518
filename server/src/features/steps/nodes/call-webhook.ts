import { effectNode } from '../effects.ts'

export const callWebhook = effectNode<'call_webhook'>(({ settings }) => ({
  kind: 'webhook',
  payload: { url: settings.url },
}))

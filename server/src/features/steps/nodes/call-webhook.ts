import { outside } from '../effects.ts'

export const callWebhook = outside<'call_webhook'>(({ settings }) => ({
  kind: 'webhook',
  payload: { url: settings.url },
}))

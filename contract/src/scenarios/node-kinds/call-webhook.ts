import { z } from 'zod'
import { isWebAddress } from '../../web-address.ts'
import { doing, orElse } from '../flow/phrases.ts'
import { nodeKind } from './node-kind.ts'

export const callWebhook = nodeKind('call_webhook', { url: z.string().max(2000, 'too_long') }, ['next'], {
  icon: 'webhook',
  words: {
    name: { ja: 'Webhookを呼び出す', en: 'Call webhook' },
    description: {
      ja: '外部のシステムに、署名付きのリクエストを送ります。',
      en: 'Sends a signed request to another system.',
    },
  },
  initial: { url: '' },
  check: ({ url }) => (isWebAddress(url) ? [] : [['url_invalid', 'settings.url']]),
  summary: ({ url }) => orElse(url.trim(), { ja: 'URLが未入力です', en: 'No URL entered' }),
  timelineLabel: { ja: 'シナリオがWebhookを呼び出し：', en: 'Webhook called by scenario: ' },
  clause({ url }) {
    const host = URL.parse(url.trim())?.host
    return {
      ja: doing(host ? `Webhook（${host}）を` : 'Webhook（未設定）を', '呼び出し', '呼び出します'),
      en: host ? `calls the webhook at ${host}` : 'calls a webhook (no URL yet)',
    }
  },
})

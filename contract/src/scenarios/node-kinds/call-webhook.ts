import { z } from 'zod'
import { doing, same } from '../phrases.ts'
import { nodeKind } from './node-kind.ts'

function isWebAddress(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && (url.protocol === 'https:' || url.protocol === 'http:') && !url.username && !url.password
}

export const callWebhook = nodeKind('call_webhook', { url: z.string().max(2000, 'too_long') }, ['next'], {
  words: {
    name_ja: 'Webhookを呼び出す',
    name_en: 'Call webhook',
    description_ja: '外部のシステムに、署名付きのリクエストを送ります。',
    description_en: 'Sends a signed request to another system.',
  },
  initial: { url: '' },
  check: ({ url }) => (isWebAddress(url) ? [] : [['url_invalid', 'settings.url']]),
  summary: ({ url }, { language }) => url.trim() || (language === 'ja' ? 'URLが未入力です' : 'No URL entered'),
  told: { ja: 'Webhookを呼び出し：', en: 'Webhook called by scenario: ' },
  clause({ url }, { language }) {
    const host = URL.parse(url.trim())?.host
    if (language === 'ja')
      return doing(host ? `Webhook（${host}）を` : 'Webhook（未設定）を', '呼び出し', '呼び出します')
    return same(host ? `calls the webhook at ${host}` : 'calls a webhook (no URL yet)')
  },
})

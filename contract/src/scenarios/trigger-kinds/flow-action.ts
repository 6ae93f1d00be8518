import { z } from 'zod'
import { quoted } from '../phrases.ts'
import { triggerKind } from './trigger-kind.ts'

/** The platform's flow tool, by the word the merchant typed into the action there. */
export const flowAction = triggerKind(
  'flow_action',
  { handle: z.string().trim().max(50, 'too_long') },
  { ja: 'ストアのフローからの呼び出し', en: 'call from the store’s flow tool' },
  {
    words: {
      name_ja: 'ストアのフロー',
      name_en: 'Store’s flow tool',
      description_ja: 'ストアのフロー機能（Shopify Flowなど）から呼び出されたとき',
      description_en: 'When the store’s flow tool (such as Shopify Flow) calls it',
    },
    initial: { handle: '' },
    fills: ['properties'],
    missing: ({ handle }) => (handle === '' ? 'handle' : null),
    sentence({ handle }, { language }) {
      if (language === 'ja')
        return `ストアのフロー機能から${handle === '' ? '（未設定）' : quoted(handle, language)}が呼び出されると始まります。`
      return `Starts when the store’s flow tool calls ${handle === '' ? '(not set yet)' : quoted(handle, language)}.`
    },
  },
)

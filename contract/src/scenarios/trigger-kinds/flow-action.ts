import { z } from 'zod'
import type { Localized } from '../../locale.ts'
import { quoted } from '../flow/phrases.ts'
import { triggerKind } from './trigger-kind.ts'

const notSet: Localized = { ja: '（未設定）', en: '(not set yet)' }

/** Called by the platform's flow tool. `handle` is what the merchant typed into the action there. */
export const flowAction = triggerKind(
  'flow_action',
  { handle: z.string().trim().max(50, 'too_long') },
  { ja: 'ストアのフローからの呼び出し', en: 'call from the store’s flow tool' },
  {
    icon: 'plug',
    words: {
      name: { ja: 'ストアのフロー', en: 'Store’s flow tool' },
      description: {
        ja: 'ストアのフロー機能（Shopify Flowなど）から呼び出されたとき',
        en: 'When the store’s flow tool (such as Shopify Flow) calls it',
      },
    },
    initial: { handle: '' },
    fills: ['properties'],
    missing: ({ handle }) => (handle === '' ? 'handle' : null),
    sentence({ handle }, { language }) {
      const called = handle === '' ? notSet[language] : quoted(handle, language)
      return {
        ja: `ストアのフロー機能から${called}が呼び出されると始まります。`,
        en: `Starts when the store’s flow tool calls ${called}.`,
      }
    },
  },
)

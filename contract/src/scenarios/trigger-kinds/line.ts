import { z } from 'zod'
import type { Localized } from '../../locale.ts'
import { quoted } from '../flow/phrases.ts'
import { triggerKind } from './trigger-kind.ts'

export const lineFollowed = triggerKind(
  'line_followed',
  {},
  { ja: 'LINEの友だち追加', en: 'added on LINE' },
  {
    icon: 'person_added',
    words: {
      name: { ja: 'LINEの友だち追加', en: 'Added on LINE' },
      description: {
        ja: 'LINE公式アカウントが友だち追加されたとき（ブロックの解除も含みます）',
        en: 'When someone adds the LINE Official Account, or unblocks it',
      },
    },
    initial: {},
    sentence: () => ({
      ja: 'LINE公式アカウントが友だち追加されると始まります。',
      en: 'Starts when someone adds the LINE Official Account.',
    }),
  },
)

const notSet: Localized = { ja: '（未設定）', en: '(not set yet)' }

/** A person wrote the keyword in the chat: as the whole message, or anywhere in it. */
export const lineMessage = triggerKind(
  'line_message',
  { keyword: z.string().trim().max(100, 'too_long'), match: z.enum(['whole', 'part']) },
  { ja: 'LINEのメッセージ', en: 'message on LINE' },
  {
    icon: 'message',
    words: {
      name: { ja: 'LINEのキーワード', en: 'LINE keyword' },
      description: {
        ja: 'LINEのトークで、キーワードを含むメッセージが届いたとき',
        en: 'When a message with a keyword arrives in the LINE chat',
      },
    },
    initial: { keyword: '', match: 'whole' },
    missing: ({ keyword }) => (keyword === '' ? 'keyword' : null),
    sentence({ keyword, match }, { language }) {
      const word = keyword === '' ? notSet[language] : quoted(keyword, language)
      return match === 'whole'
        ? {
            ja: `LINEで${word}というメッセージが届くと始まります。`,
            en: `Starts when the message ${word} arrives on LINE.`,
          }
        : {
            ja: `LINEで${word}を含むメッセージが届くと始まります。`,
            en: `Starts when a message that contains ${word} arrives on LINE.`,
          }
    },
  },
)

/** Case and width make no difference: ｸｰﾎﾟﾝ is クーポン. */
const folded = (text: string): string => text.normalize('NFKC').trim().toLowerCase()

/** Whether a message is, or contains, the keyword. */
export function isKeywordIn(text: string, { keyword, match }: { keyword: string; match: 'whole' | 'part' }): boolean {
  const wanted = folded(keyword)
  if (wanted === '') return false
  return match === 'whole' ? folded(text) === wanted : folded(text).includes(wanted)
}

import { z } from 'zod'
import { duration, isAllowedDuration } from '../duration.ts'
import { amountOf, doing, quoted } from '../flow/phrases.ts'
import { nodeKind, Target } from './node-kind.ts'

export const reactions = ['opened', 'clicked'] as const
export type Reaction = (typeof reactions)[number]

const asked = {
  opened: { ja: (what: string) => `${what}を開封したか`, en: (what: string) => `${what} was opened` },
  clicked: {
    ja: (what: string) => `${what}のリンクをクリックしたか`,
    en: (what: string) => `a link in ${what} was clicked`,
  },
} as const
const someStep = { ja: '選んだステップの配信', en: 'the message of the selected step' }

/**
 * Waits for an open or a click of another step's message. LINE does not report opens, so only clicks work for LINE. If nothing was sent, no
 * time passes, so a loop needs another wait.
 */
export const waitForReaction = nodeKind(
  'wait_for_reaction',
  { node_id: Target, reaction: z.enum(reactions, 'not_allowed'), ...duration },
  ['reacted', 'not_reacted'],
  {
    icon: 'click',
    words: {
      name: { ja: '反応で分ける', en: 'Split by reaction' },
      description: {
        ja: '前のステップの配信から期限まで待ち、開封やクリックがあったかどうかで分かれます。',
        en: 'Waits for a time after an earlier step sent its message, then splits by whether it was opened or clicked.',
      },
    },
    initial: { node_id: null, reaction: 'clicked', amount: 24, unit: 'hours' },
    takesTime: 'sometimes',
    caption: ({ amount, unit }, language) => amountOf(amount, unit, language),
    way(port, { amount, unit }, language) {
      if (port === 'reacted')
        return { name: { ja: '反応あり', en: 'Reacted' }, label: { ja: '反応があった場合', en: 'If so' } }
      const limit = amountOf(amount, unit, language)
      return {
        name: { ja: '反応なし', en: 'No reaction' },
        label: { ja: `${limit}たっても反応がない場合`, en: `If there is no reaction within ${limit}` },
      }
    },
    check({ node_id, reaction, ...limit }, { kindOf }) {
      if (!isAllowedDuration(limit)) return [['duration_out_of_range', 'settings.amount']]
      const kind = node_id === null ? undefined : kindOf(node_id)
      if (kind !== 'send_email' && kind !== 'send_line') return [['reaction_to_nothing', 'settings.node_id']]
      return kind === 'send_line' && reaction === 'opened' ? [['reaction_unknown', 'settings.reaction']] : []
    },
    summary({ node_id, reaction, amount, unit }, { language, names }) {
      if (node_id === null) return { ja: 'ステップが未選択です', en: 'No step selected' }
      const name = names?.stepName?.(node_id)
      const what = asked[reaction][language](name ? quoted(name, language) : someStep[language])
      const limit = amountOf(amount, unit, language)
      return { ja: `${limit}以内に${what}`, en: `If ${what} within ${limit}` }
    },
    clause({ node_id, reaction, amount, unit }, { language, names }) {
      if (node_id === null)
        return {
          ja: doing('反応（ステップが未選択）で', '分かれ', '分かれます'),
          en: 'splits by a reaction (no step selected yet)',
        }
      const limit = amountOf(amount, unit, language)
      const name = names?.stepName?.(node_id)
      const what = asked[reaction][language](name ? quoted(name, language) : someStep[language])
      return {
        ja: doing(`${limit}待ち、${what}どうかで`, '分かれ', '分かれます'),
        en: `waits ${limit}, then splits by whether ${what}`,
      }
    },
  },
)

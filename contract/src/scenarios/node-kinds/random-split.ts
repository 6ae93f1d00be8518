import { z } from 'zod'
import { alike, doing } from '../flow/phrases.ts'
import { nodeKind } from './node-kind.ts'

export const MAX_SHARES = 5
export const sharePorts = ['a', 'b', 'c', 'd', 'e'] as const

export const randomSplit = nodeKind(
  'random_split',
  {
    shares: z
      .array(z.int('not_a_number').min(1, 'too_small').max(99, 'too_big'))
      .min(2, 'too_short')
      .max(MAX_SHARES, 'too_long'),
  },
  sharePorts,
  {
    icon: 'split',
    words: {
      name: { ja: 'ランダムに分ける', en: 'Random split' },
      description: {
        ja: '決めた割合で顧客を振り分けます（A/Bテスト）。',
        en: 'Splits customers by percentage (A/B test).',
      },
    },
    initial: { shares: [50, 50] },
    ports: ({ shares }) => sharePorts.slice(0, shares.length),
    way(port, { shares }) {
      const letter = port.toUpperCase()
      const share = shares[sharePorts.findIndex((each) => each === port)]
      if (share === undefined) return { name: alike(letter), label: alike(letter) }
      return {
        name: alike(`${letter} ${share}%`),
        label: { ja: `${letter}（${share}%）`, en: `${letter} (${share}%)` },
      }
    },
    check: ({ shares }) =>
      shares.reduce((sum, share) => sum + share, 0) === 100 ? [] : [['shares_not_hundred', 'settings.shares']],
    summary({ shares }) {
      const parts = shares.map((share, at) => `${'ABCDE'.charAt(at)} ${share}%`)
      return { ja: parts.join('・'), en: parts.join(' · ') }
    },
    clause: ({ shares: { length } }) => ({
      ja: doing(`顧客をランダムに${length}つに`, '分け', '分けます'),
      en: `divides customers at random into ${length} groups`,
    }),
  },
)

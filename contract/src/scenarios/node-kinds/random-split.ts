import { z } from 'zod'
import { doing, same } from '../phrases.ts'
import { nodeKind } from './node-kind.ts'

export const MAX_SHARES = 5
/** In the order of the shares. */
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
    words: {
      name_ja: 'ランダムに分ける',
      name_en: 'Random split',
      description_ja: '決めた割合で顧客を振り分けます（A/Bテスト）。',
      description_en: 'Splits customers by percentage (A/B test).',
    },
    initial: { shares: [50, 50] },
    ports: ({ shares }) => sharePorts.slice(0, shares.length),
    way(port, { shares }, language) {
      const letter = port.toUpperCase()
      const share = shares[sharePorts.findIndex((each) => each === port)]
      if (share === undefined) return { name: letter, label: letter }
      return {
        name: `${letter} ${share}%`,
        label: language === 'ja' ? `${letter}（${share}%）` : `${letter} (${share}%)`,
      }
    },
    check: ({ shares }) =>
      shares.reduce((sum, share) => sum + share, 0) === 100 ? [] : [['shares_not_hundred', 'settings.shares']],
    summary: ({ shares }, { language }) =>
      shares.map((share, at) => `${'ABCDE'.charAt(at)} ${share}%`).join(language === 'ja' ? '・' : ' · '),
    clause: ({ shares: { length } }, { language }) =>
      language === 'ja'
        ? doing(`顧客をランダムに${length}つに`, '分け', '分けます')
        : same(`divides customers at random into ${length} groups`),
  },
)

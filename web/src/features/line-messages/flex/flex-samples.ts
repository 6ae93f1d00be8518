import { SAMPLE_PICTURE } from '@okaeri/contract/line-messages/samples'
import type { Locale, Localized } from '@okaeri/contract/locale'

const SHOP = 'https://example.com/'
const text = (words: string, more: object = {}) => ({ type: 'text', text: words, wrap: true, ...more })
const box = (layout: string, contents: object[], more: object = {}) => ({ type: 'box', layout, contents, ...more })
const button = (label: string) => ({
  type: 'button',
  style: 'primary',
  color: '#047a35',
  action: { type: 'uri', label, uri: SHOP },
})
const picture = { type: 'image', url: SAMPLE_PICTURE, size: 'full', aspectRatio: '20:13', aspectMode: 'cover' }
const line = (name: string, value: string) =>
  box('horizontal', [text(name, { color: '#6b6b6b', size: 'sm', flex: 2 }), text(value, { size: 'sm', flex: 5 })])

const see: Localized = { ja: '商品を見る', en: 'See the product' }
const goods = {
  shirt: { ja: 'リネンのシャツ', en: 'Linen shirt' },
  spring: { ja: '春のブレンド', en: 'Spring blend' },
  dark: { ja: '深煎りブレンド', en: 'Dark roast' },
  decaf: { ja: 'カフェインレス', en: 'Decaf' },
} satisfies Record<string, Localized>
const notice = {
  title: { ja: '営業日のお知らせ', en: 'Holiday hours' },
  days: { ja: '期間', en: 'When' },
  which: { ja: '12月29日から1月3日まで', en: 'December 29 to January 3' },
  what: { ja: '内容', en: 'What' },
  closed: { ja: '発送をお休みします', en: 'Nothing is shipped' },
  after: { ja: '1月4日から順番に発送します。', en: 'Shipping resumes on January 4.' },
} satisfies Record<string, Localized>

const written = (contents: object): string => JSON.stringify(contents, null, 2)

/** Whole ones to begin with, as LINE takes them. */
const makers = {
  product: (language: Locale) => ({ ...card(goods.shirt, '¥12,800', language), size: 'mega' }),
  notice: (language: Locale) => ({
    type: 'bubble',
    header: box('vertical', [text(notice.title[language], { weight: 'bold', color: '#ffffff' })], {
      backgroundColor: '#047a35',
    }),
    body: box(
      'vertical',
      [
        text('{{ customer.greeting }}', { weight: 'bold' }),
        line(notice.days[language], notice.which[language]),
        line(notice.what[language], notice.closed[language]),
        { type: 'separator', margin: 'md' },
        text(notice.after[language], { size: 'sm' }),
      ],
      { spacing: 'md' },
    ),
  }),
  carousel: (language: Locale) => ({
    type: 'carousel',
    contents: [
      card(goods.spring, '¥1,600', language),
      card(goods.dark, '¥1,500', language),
      card(goods.decaf, '¥1,700', language),
    ],
  }),
}
export type FlexSample = keyof typeof makers
export const flexSampleKeys = Object.keys(makers) as FlexSample[]

const card = (name: Localized, price: string, language: Locale) => ({
  type: 'bubble',
  size: 'kilo',
  hero: picture,
  body: box('vertical', [text(name[language], { weight: 'bold', size: 'lg' }), text(price, { color: '#666666' })], {
    spacing: 'sm',
  }),
  footer: box('vertical', [button(see[language])]),
})

export const flexSample = (sample: FlexSample, language: Locale): string => written(makers[sample](language))
/** Whether nothing of the merchant's own is in it yet. */
export const isFlexSample = (json: string): boolean =>
  json.trim() === '' ||
  flexSampleKeys.some((sample) => (['ja', 'en'] as const).some((language) => flexSample(sample, language) === json))

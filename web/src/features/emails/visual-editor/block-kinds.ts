import { Block, type BlockKind } from '@okaeri/contract/emails/design'
import type { Locale, Localized } from '@okaeri/contract/locale'
import {
  type Icon,
  IconAlignLeft,
  IconBrandInstagram,
  IconCode,
  IconColumns2,
  IconHeading,
  IconLayoutBottombar,
  IconMinus,
  IconPhoto,
  IconPuzzle,
  IconReceipt,
  IconRectangle,
  IconShirt,
  IconSpacingVertical,
  IconSparkles,
  IconTicket,
} from '@tabler/icons-react'
import { newBlockId } from './editing.ts'

/** In the order in which they are offered. */
export const blockIcons: Record<BlockKind, Icon> = {
  heading: IconHeading,
  text: IconAlignLeft,
  picture: IconPhoto,
  button: IconRectangle,
  columns: IconColumns2,
  products: IconShirt,
  product_rule: IconSparkles,
  coupon: IconTicket,
  event_items: IconReceipt,
  divider: IconMinus,
  spacer: IconSpacingVertical,
  social: IconBrandInstagram,
  component: IconPuzzle,
  code: IconCode,
  footer: IconLayoutBottombar,
}
export const offeredKinds = Object.keys(blockIcons) as BlockKind[]

/** What new blocks say, in the language of the mail. */
const said = {
  heading: { ja: '見出し', en: 'Heading' },
  text: { ja: '<p>文章を書きます。</p>', en: '<p>Your text.</p>' },
  button: { ja: 'ストアを見る', en: 'Visit the store' },
  coupon: { ja: 'クーポンプレゼント', en: 'A coupon for you' },
  product: { ja: '商品を見る', en: 'View' },
  why: {
    ja: 'このメールは、{{ store.name }}からのお知らせを希望された方にお送りしています。',
    en: 'You receive this email because you asked for news from {{ store.name }}.',
  },
} satisfies Record<string, Localized>

const contents: Record<BlockKind, (language: Locale) => object> = {
  heading: (language) => ({ text: said.heading[language] }),
  text: (language) => ({ html: said.text[language] }),
  picture: () => ({ url: '', alt: '' }),
  button: (language) => ({ label: said.button[language], link: '' }),
  columns: (language) => ({
    widths: [6, 6],
    columns: [[newBlock('picture', language)], [newBlock('text', language)]],
  }),
  products: (language) => ({ product_ids: [], as_of: 'sending', button: said.product[language] }),
  product_rule: (language) => ({ button: said.product[language] }),
  coupon: (language) => ({ title: said.coupon[language], code: '' }),
  event_items: () => ({}),
  divider: () => ({}),
  spacer: () => ({ space: 0 }),
  social: () => ({ links: [{ network: 'instagram', link: '' }] }),
  // Chosen at once from those there are.
  component: () => ({ key: 'footer' }),
  code: () => ({ html: '' }),
  footer: (language) => ({ why: said.why[language] }),
}

export const newBlock = (kind: BlockKind, language: Locale): Block =>
  Block.parse({ id: newBlockId(), kind, ...contents[kind](language) })

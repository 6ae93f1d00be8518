import type { Locale, Localized } from '../locale.ts'
import type { Block, Design, Look } from './design.ts'
import { type StarterBlock, type StarterKey, starters } from './starters.ts'

export interface NewEmail {
  starter: StarterKey
  language: Locale
  storeUrl: string
}

export const firstLook: Look = {
  background: '#f4f4f2',
  surface: '#ffffff',
  text: '#1f2a2e',
  accent: '#1d5c4d',
  font: 'sans',
  radius: 8,
}

const hello = { ja: '{{ customer.greeting }}', en: 'Hello {{ customer.greeting }},' }
/** Why a mail comes, as a new one says it in its footer. */
export const footerWhy: Localized = {
  ja: 'このメールは、{{ store.name }}からのお知らせを希望された方にお送りしています。',
  en: 'You receive this email because you asked for news from {{ store.name }}.',
}

/** What a new email made of blocks starts from: the starter's texts, in the look of its kind. */
export function starterDesign({ starter, language, storeUrl }: NewEmail): Design {
  const { paragraphs, button, buttonUrl, aside, design } = starters[starter]
  const { look = {}, headline, label, tint, between = [], plain = false } = design
  const made = { ...firstLook, ...look }
  // Where the items have a block of their own, no sentence lists them.
  const hasItems = between.some(({ kind }) => kind === 'event_items')
  const [first, ...rest] = paragraphs
    .map((text) => text[language])
    .filter((text) => !hasItems || text !== '{{ event.items }}')
  const paragraph = (text: string | undefined): string => (text === undefined ? '' : `<p>${text}</p>`)
  const blocks: Block[] = [
    plain
      ? heading({ id: 'store', text: '{{ store.name }}', size: 'small' })
      : heading({ id: 'store', text: '{{ store.name }}', size: 'small', align: 'center', space: 16 }),
    ...(headline ? fieldOf({ headline, label, tint }, { language, look: made }) : []),
    {
      ...text('words', [hello[language], first, ...(between.length > 0 ? [] : rest)].map(paragraph).join('')),
      space: 24,
    },
    ...between.map((block) => blockIn(block, language)),
    ...(rest.length > 0 && between.length > 0 ? [text('more', rest.map(paragraph).join(''))] : []),
    {
      ...base('button'),
      kind: 'button',
      label: button[language],
      link: buttonUrl ?? storeUrl,
      align: plain ? 'left' : 'center',
      wide: false,
      color: null,
      space: 24,
    },
    ...(aside ? [text('aside', paragraph(aside[language]))] : []),
    { ...base('footer'), kind: 'footer', why: footerWhy[language], align: plain ? 'left' : 'center', space: 20 },
  ]
  return { language, look: made, blocks }
}

/** The headline on a field of colour, with room around it. */
function fieldOf(
  { headline, label, tint }: { headline: Localized; label: Localized | undefined; tint: string | undefined },
  { language, look }: { language: Locale; look: Look },
): Block[] {
  const background = tint ?? look.accent
  const onField = { background, align: 'center', space: 6 } as const
  const room = (id: string): Block => ({ ...base(id), kind: 'spacer', height: 36, space: 0, background })
  return [
    room('above'),
    ...(label
      ? [
          {
            ...text('label', `<p><strong>${label[language]}</strong></p>`),
            ...onField,
            size: 'small' as const,
            color: tint ? look.accent : '#ffffff',
          },
        ]
      : []),
    heading({
      id: 'headline',
      text: headline[language],
      size: 'large',
      ...onField,
      color: tint ? look.text : '#ffffff',
    }),
    room('below'),
  ]
}

function blockIn(block: StarterBlock, language: Locale): Block {
  switch (block.kind) {
    case 'event_product':
      return {
        ...base('product'),
        kind: 'picture',
        url: '{{ event.product_image_url }}',
        alt: '{{ event.product_title }}',
        link: '{{ event.product_url }}',
        width: 60,
        align: 'center',
        wide: false,
      }
    case 'products':
      return {
        ...base('products'),
        kind: 'products',
        product_ids: [],
        as_of: 'sending',
        columns: 2,
        shows_price: true,
        button: { ja: '商品を見る', en: 'View' }[language],
        sold_out: 'shown',
        shows_stock: false,
      }
    case 'coupon':
      return {
        ...base('coupon'),
        kind: 'coupon',
        title: block.title[language],
        source: 'typed',
        code: '',
        ends_on: null,
        note: block.note[language],
      }
    case 'event_items':
      return { ...base('items'), kind: 'event_items', shows_pictures: true, shows_prices: true }
    case 'product_rule':
      return {
        ...base('chosen'),
        kind: 'product_rule',
        rule: block.rule,
        count: 4,
        otherwise: 'best_sold',
        leaves_out_bought: false,
        excluded_ids: [],
        columns: 2,
        shows_price: true,
        shows_stock: false,
        button: { ja: '商品を見る', en: 'View' }[language],
      }
  }
}

const base = (id: string) => ({ id, space: 12, background: null, shown_to: null })
const heading = (
  given: { id: string; text: string } & Partial<Extract<Block, { kind: 'heading' }>>,
): Extract<Block, { kind: 'heading' }> => ({
  ...base(given.id),
  kind: 'heading',
  size: 'medium',
  align: 'left',
  color: null,
  ...given,
})
const text = (id: string, html: string): Extract<Block, { kind: 'text' }> => ({
  ...base(id),
  kind: 'text',
  html,
  size: 'medium',
  align: 'left',
  color: null,
})

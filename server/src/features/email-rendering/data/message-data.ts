import type { ContentTag } from '@okaeri/contract/emails/email'
import { type Locale, type Localized, toLocale } from '@okaeri/contract/locale'
import type { MailMetafields } from '../../metafields/index.ts'
import type { EventData } from './event-data.ts'

/** What a mail's tags can say. Every value but a metafield's, an event's lines and its properties is text; what is unknown is empty. */
export interface MessageData extends EventData {
  customer: {
    /** Full name, in the order of the mail's language. */
    name: string
    first_name: string
    last_name: string
    email: string
    phone: string
    /** `山田 様`, `Taro`; お客様 or Customer when the name is unknown. */
    greeting: string
    language: string
    /** Separated by a comma and a space; `contains` works on it. */
    tags: string
    /** By namespace and key; only what the mail writes, and only what the customer has. */
    metafields: MailMetafields
  }
  store: { name: string; url: string; postal_address: string; contact_email: string; contact_phone: string }
  sender: { name: string; email: string }
  unsubscribe_url: string
  /** Where the recipient chooses which mails they get. */
  preferences_url: string
  /** Those that the mail's `{% product %}` blocks show, by id; one that the store does not sell now is missing. */
  products?: Readonly<Record<string, MailProduct>>
  /** What the mail's `{% products_by %}` blocks show: those that are the same for all, and this recipient's own; by the choice's key. */
  product_lists?: ProductLists
  own_products?: ProductLists
  /**
   * Whether this recipient is in the segments that `{% only_for %}` and `{% except_for %}` blocks name, by id; one that was deleted is missing.
   * Null: someone invented, to whom both are shown.
   */
  memberships?: Readonly<Record<string, boolean | null>>
  /** For a LINE message: where its recipient links their account. */
  line?: { link_url: string }
}

export type ProductLists = Readonly<Record<string, readonly MailProduct[]>>

/** What a `{% product %}` block can say. All text but the last. */
export interface MailProduct {
  /** The store platform's number. */
  id: string
  title: string
  /** The cheapest variant's, with its currency. */
  price: string
  url: string
  image_url: string
  /** Empty where the store does not count it. */
  stock: string
  vendor: string
  is_sold_out: boolean
}

/** What of {@link MessageData} is the same for all who get a mail. */
export const sharedGroups = ['store', 'sender', 'products', 'product_lists'] as const
export type SharedData = Pick<MessageData, (typeof sharedGroups)[number]>

/** What is known of a customer; a row of `customers` fits. */
export interface KnownCustomer {
  /** Null or missing: an invented customer. */
  id?: string | null
  display_name: string
  first_name: string | null
  last_name: string | null
  email: string | null
  phone: string | null
  language: string | null
  tags: readonly string[]
  metafields?: MailMetafields | undefined
}

const NO_METAFIELDS: MailMetafields = {}
const NO_NAME: Localized = { ja: 'お客様', en: 'Customer' }
/** What people add to their own name, or a shop to its customers', after {@link tidy}. Looked for where a run of them begins alone. */
const HONORIFIC = /(?<!(?:様|さま|サマ|さん|殿) ?)(?: ?(?:様|さま|サマ|さん|殿))+$/u
const SAMA = /(?<!様 ?)(?: ?様)+$/u
const LATIN = /^[\p{Script=Latin}\p{M}\s.'’-]+$/u

/** One line with single spaces: names arrive with U+3000 between, around and alone. */
const tidy = (text: string | null): string => (text ?? '').replace(/[\s\p{Cc}]+/gu, ' ').trim()

/**
 * How a mail in `locale` addresses someone. Japanese: family name and 様, never twice; a given name standing alone often holds the
 * full name, so it is used the same way; a name in Latin script is used whole.
 */
export function greeting(customer: Pick<KnownCustomer, 'first_name' | 'last_name'>, locale: Locale): string {
  const first = tidy(customer.first_name).replace(HONORIFIC, '')
  const last = tidy(customer.last_name).replace(HONORIFIC, '')
  if (locale === 'en') return first || last || NO_NAME.en
  const name = last && first && LATIN.test(`${first}${last}`) ? `${first} ${last}` : last || first
  // A shop's guest account is often named お客様 itself; without its 様 that is お客.
  return name && name !== 'お客' && name !== 'お客様' ? `${name} 様` : NO_NAME.ja
}

/** Many a template writes 様 after a name itself. */
const nameOf = (text: string | null): string => tidy(text).replace(SAMA, '')

/** The customer's part of {@link MessageData}, for a mail in `locale` (the merchant's language). */
export function customerData(customer: KnownCustomer, locale: Locale): MessageData['customer'] {
  const first = nameOf(customer.first_name)
  const last = nameOf(customer.last_name)
  const inOrder = locale === 'ja' && !LATIN.test(`${first}${last}`) ? [last, first] : [first, last]
  return {
    name: inOrder.filter(Boolean).join(' ') || nameOf(customer.display_name),
    first_name: first,
    last_name: last,
    email: customer.email ?? '',
    phone: customer.phone ?? '',
    greeting: greeting(customer, locale),
    language: customer.language ? toLocale(customer.language) : locale,
    tags: customer.tags.join(', '),
    metafields: customer.metafields ?? NO_METAFIELDS,
  }
}

/** Someone to look at a mail as, where no customer is chosen. */
export const exampleCustomer: Localized<KnownCustomer> = {
  ja: {
    display_name: '花子 山田',
    first_name: '花子',
    last_name: '山田',
    email: 'hanako@example.com',
    phone: '+819012345678',
    language: 'ja',
    tags: ['VIP'],
  },
  en: {
    display_name: 'Hanako Yamada',
    first_name: 'Hanako',
    last_name: 'Yamada',
    email: 'hanako@example.com',
    phone: '+819012345678',
    language: 'en',
    tags: ['VIP'],
  },
}

const tag = (path: string, category: ContentTag['category'], name: Localized, example: Localized): ContentTag => ({
  tag: `{{ ${path} }}`,
  category,
  value: 'text',
  name_ja: name.ja,
  name_en: name.en,
  example_ja: example.ja,
  example_en: example.en,
})
const link = (...given: Parameters<typeof tag>): ContentTag => ({ ...tag(...given), value: 'link' })
const same = (example: string): Localized => ({ ja: example, en: example })

/** Every tag that all merchants have; what is neither here nor a metafield is reported as unknown. */
export const contentTags: readonly ContentTag[] = [
  tag('customer.greeting', 'customer', { ja: '宛名（様つき）', en: 'Greeting name' }, { ja: '山田 様', en: 'Hanako' }),
  tag('customer.name', 'customer', { ja: '氏名', en: 'Full name' }, { ja: '山田 花子', en: 'Hanako Yamada' }),
  tag('customer.last_name', 'customer', { ja: '姓', en: 'Last name' }, { ja: '山田', en: 'Yamada' }),
  tag('customer.first_name', 'customer', { ja: '名', en: 'First name' }, { ja: '花子', en: 'Hanako' }),
  tag('customer.email', 'customer', { ja: 'メールアドレス', en: 'Email address' }, same('hanako@example.com')),
  tag('customer.phone', 'customer', { ja: '電話番号', en: 'Phone number' }, same('+819012345678')),
  tag('customer.language', 'customer', { ja: '言語', en: 'Language' }, { ja: 'ja', en: 'en' }),
  tag('customer.tags', 'customer', { ja: '顧客タグ', en: 'Customer tags' }, same('VIP')),
  tag('store.name', 'store', { ja: 'ストア名', en: 'Store name' }, { ja: 'おかえり商店', en: 'Okaeri Store' }),
  link('store.url', 'store', { ja: 'ストアのURL', en: 'Store address (URL)' }, same('https://shop.example.com')),
  tag(
    'store.postal_address',
    'store',
    { ja: '事業者の住所', en: 'Postal address' },
    { ja: '東京都渋谷区1-2-3', en: '1-2-3 Shibuya, Tokyo, Japan' },
  ),
  tag('store.contact_email', 'store', { ja: '問い合わせ先メール', en: 'Contact email' }, same('support@example.com')),
  tag('store.contact_phone', 'store', { ja: '問い合わせ先電話', en: 'Contact phone' }, same('+81312345678')),
  tag('sender.name', 'store', { ja: '差出人名', en: 'Sender name' }, { ja: 'おかえり商店', en: 'Okaeri Store' }),
  tag('sender.email', 'store', { ja: '差出人メール', en: 'Sender email' }, same('news@example.com')),
  tag('event.order_name', 'scenario', { ja: '注文番号', en: 'Order number' }, same('#1001')),
  tag(
    'event.total',
    'scenario',
    { ja: '注文・カートの金額', en: 'Order or cart total' },
    { ja: '¥12,800', en: '¥12,800' },
  ),
  tag(
    'event.items',
    'scenario',
    { ja: '注文・カートの商品', en: 'Order or cart items' },
    { ja: 'リネンのシャツ × 1、コーヒーカップ × 2', en: 'Linen shirt × 1, Coffee cup × 2' },
  ),
  tag(
    'event.subtotal',
    'scenario',
    { ja: '商品の小計', en: 'Subtotal of the items' },
    { ja: '¥11,800', en: '¥11,800' },
  ),
  tag(
    'event.other_costs',
    'scenario',
    { ja: '送料・割引など', en: 'Shipping, discounts and others' },
    { ja: '¥1,000', en: '¥1,000' },
  ),
  link(
    'event.recovery_url',
    'scenario',
    { ja: 'カート・購入手続きに戻るURL', en: 'Cart or checkout link (URL)' },
    same('https://shop.example.com/checkout'),
  ),
  link(
    'event.cancel_url',
    'scenario',
    { ja: '再入荷のお知らせを取り消すページ', en: 'Page to cancel a restock notification' },
    same('https://…/r/…'),
  ),
  tag(
    'event.product_title',
    'scenario',
    { ja: '商品名', en: 'Product name' },
    { ja: 'リネンのシャツ', en: 'Linen shirt' },
  ),
  tag(
    'event.variant_title',
    'scenario',
    { ja: '商品の種類（サイズや色）', en: 'Variant of the product' },
    { ja: 'M', en: 'M' },
  ),
  link(
    'event.product_url',
    'scenario',
    { ja: '商品のURL', en: 'Product address (URL)' },
    same('https://shop.example.com/products/linen-shirt'),
  ),
  {
    ...tag(
      'event.product_image_url',
      'scenario',
      { ja: '商品画像のURL', en: 'Product image (URL)' },
      same('https://cdn.example.com/linen-shirt.jpg'),
    ),
    value: 'picture',
  },
  tag(
    'event.coupon_code',
    'scenario',
    { ja: '使われたクーポンコード', en: 'Coupon code that was used' },
    same('OBK7K3PX9WM'),
  ),
  tag(
    'event.day',
    'scenario',
    { ja: '誕生日などの日付', en: 'Date (such as a birthday)' },
    { ja: '2026年5月10日', en: 'May 10, 2026' },
  ),
  tag('coupon.code', 'scenario', { ja: 'クーポンコード', en: 'Coupon code' }, same('OBK7K3PX9WM')),
  tag('coupon.ratio', 'scenario', { ja: 'クーポンの割引率（％）', en: 'Coupon discount (percent)' }, same('10')),
  tag(
    'coupon.expires_at',
    'scenario',
    { ja: 'クーポンの有効期限', en: 'Coupon expiry date' },
    { ja: '2026年5月24日', en: 'May 24, 2026' },
  ),
  tag(
    'coupon.condition',
    'scenario',
    { ja: 'クーポンの利用条件', en: 'Coupon conditions' },
    { ja: '¥5,000以上のお買い上げ', en: 'orders of ¥5,000 or more' },
  ),
  // Spec §9: in the address of a link it is written this way.
  {
    tag: '[coupon]',
    category: 'scenario',
    value: 'link',
    name_ja: 'クーポンコード（リンクのURL用）',
    name_en: 'Coupon code (in the address of a link)',
    example_ja: 'https://shop.example.com/discount/[coupon]',
    example_en: 'https://shop.example.com/discount/[coupon]',
  },
  link('unsubscribe_url', 'links', { ja: '配信停止ページ', en: 'Unsubscribe page' }, same('https://…/u/…')),
  link(
    'preferences_url',
    'links',
    { ja: '配信設定ページ（種類・一時休止・言語）', en: 'Email preferences page (kinds, pause, language)' },
    same('https://…/p/…'),
  ),
]

/** Tags that LINE messages have besides. */
export const lineTags: readonly ContentTag[] = [
  link(
    'line.link_url',
    'line',
    { ja: '顧客のアカウントとLINEを連携するURL', en: 'Link to connect the customer account with LINE (URL)' },
    same('https://…/frontend/line/connect?chat=…'),
  ),
]

const known = new Set([...contentTags.map(({ tag }) => tag.slice(3, -3)), 'event.lines', 'event.properties'])
/** What blocks are filled with; not written by people. */
const OF_BLOCKS = ['products', 'memberships', 'product_lists', 'own_products']
/** Whether a variable's path can have a value; groups themselves (`customer`) only serve to be looked into. `metafields`: `namespace.key`s. */
export function isKnownVariable(path: readonly string[], metafields: ReadonlySet<string>): boolean {
  const [group, part, namespace, key] = path
  if (path.length === 1 && OF_BLOCKS.includes(group ?? '')) return true
  if (group !== 'customer' || part !== 'metafields')
    return known.has(path.slice(0, path[0]?.endsWith('_url') ? 1 : 2).join('.'))
  if (namespace !== undefined && key !== undefined) return metafields.has(`${namespace}.${key}`)
  return [...metafields].some((name) => name.startsWith(namespace === undefined ? '' : `${namespace}.`))
}

import type { CouponTerms } from '@okaeri/contract/coupons/coupon'
import type { Locale, Localized } from '@okaeri/contract/locale'
import { currencyDigits, withOneYenSign } from '@okaeri/contract/money'
import type { EventSubject } from '@okaeri/contract/scenarios/event'
import type { EventField } from '@okaeri/contract/scenarios/event-fields'
import { DateTime } from 'luxon'

/** What a mail of a scenario can say beside the customer, as it is kept with the delivery; formatted when it is sent. */
export interface RecipientVariables {
  event?: Omit<EventSubject, 'lines'> & {
    /** The product it was about, else the first of its lines. */
    product?: { title: string; url: string; image_url: string; variant?: string }
    lines?: EventLine[]
    /** Its recipient asked for it, and may take that back by a link. */
    may_cancel?: true
  }
  coupon?: {
    code: string
    ratio_percent: number
    expires_at: string | null
    minimum?: CouponTerms['minimum']
    /** It is for some products only. */
    is_limited?: boolean
    currency?: string
  }
}
type EventLine = NonNullable<EventSubject['lines']>[number] & {
  /** All its pieces, in minor units; absent: not known. */
  amount?: number
  image_url?: string
}

/** The part of MessageData that is filled for scenarios; empty in campaigns. */
export interface EventData {
  event: {
    order_name: string
    /** With its currency, as the language writes it. */
    total: string
    /** `Tシャツ × 2、マグ × 1` */
    items: string
    /** Each with what its pieces cost together, and the address of a picture; both may be empty. */
    lines: readonly { title: string; quantity: number; price: string; image_url: string }[]
    /** The sum of its lines; empty where not all of their prices are known. */
    subtotal: string
    /** What the total is above that, or below: shipping, discounts. Empty where it is the same. */
    other_costs: string
    recovery_url: string
    /** Where the recipient takes back what they asked for. */
    cancel_url: string
    product_title: string
    /** Where it is about one variant of several. */
    variant_title: string
    product_url: string
    product_image_url: string
    coupon_code: string
    day: string
    /** What a flow action gave along. */
    properties: Readonly<Record<string, string>>
  }
  coupon: {
    code: string
    /** Percent, without the sign. */
    ratio: string
    /** The last day, as the language writes it. */
    expires_at: string
    /** On what orders it can be used; empty: on all. */
    condition: string
  }
}

export const NO_EVENT: EventData = {
  event: {
    order_name: '',
    total: '',
    items: '',
    lines: [],
    subtotal: '',
    other_costs: '',
    recovery_url: '',
    cancel_url: '',
    product_title: '',
    variant_title: '',
    product_url: '',
    product_image_url: '',
    coupon_code: '',
    day: '',
    properties: {},
  } satisfies Record<EventField, unknown>,
  coupon: { code: '', ratio: '', expires_at: '', condition: '' },
}

const NOTHING: NonNullable<RecipientVariables['event']> = {}
const JOINED: Localized = { ja: '、', en: ', ' }

export function eventData(
  { event = NOTHING, coupon }: RecipientVariables,
  { locale, timezone, cancelUrl }: { locale: Locale; timezone: string; cancelUrl: string },
): EventData {
  const { lines: given = [], currency } = event
  const said = (amount: number | undefined): string =>
    amount === undefined || !currency ? '' : money(amount, currency, locale)
  const lines = given.map(({ title, quantity, amount, image_url = '' }) => ({
    title,
    quantity,
    price: said(amount),
    image_url: /^https?:\/\//i.test(image_url) ? image_url : '',
  }))
  const subtotal = given.every(({ amount }) => amount !== undefined)
    ? given.reduce((sum, { amount = 0 }) => sum + amount, 0)
    : undefined
  const others = subtotal === undefined || event.amount === undefined ? 0 : event.amount - subtotal
  const day = (at: DateTime): string => at.setLocale(locale).toLocaleString(DateTime.DATE_FULL)
  return {
    event: {
      order_name: event.order_name ?? '',
      total: said(event.amount),
      items: lines.map(({ title, quantity }) => `${title} × ${quantity}`).join(JOINED[locale]),
      lines,
      subtotal: given.length === 0 ? '' : said(subtotal),
      other_costs: others === 0 ? '' : said(others),
      recovery_url: event.recovery_url ?? '',
      cancel_url: event.may_cancel ? cancelUrl : '',
      product_title: event.product?.title ?? '',
      variant_title: event.product?.variant ?? '',
      product_url: event.product?.url ?? '',
      product_image_url: event.product?.image_url ?? '',
      coupon_code: event.coupon_code ?? '',
      day: event.day ? day(DateTime.fromISO(event.day)) : '',
      properties: event.properties ?? NO_EVENT.event.properties,
    },
    coupon: coupon
      ? {
          code: coupon.code,
          ratio: String(coupon.ratio_percent),
          expires_at: coupon.expires_at ? day(DateTime.fromISO(coupon.expires_at, { zone: timezone })) : '',
          condition: conditionOf(coupon, locale),
        }
      : NO_EVENT.coupon,
  }
}

const conditions = {
  subtotal: { ja: (least: string) => `${least}以上のお買い上げ`, en: (least: string) => `orders of ${least} or more` },
  quantity: { ja: (least: string) => `${least}点以上のお買い上げ`, en: (least: string) => `${least} items or more` },
  limited: { ja: '対象商品のみ', en: 'selected products only' },
}
function conditionOf(coupon: NonNullable<RecipientVariables['coupon']>, locale: Locale): string {
  const { minimum = { kind: 'none' }, is_limited, currency = 'JPY' } = coupon
  const least =
    minimum.kind === 'subtotal'
      ? [conditions.subtotal[locale](money(minimum.amount, currency, locale))]
      : minimum.kind === 'quantity'
        ? [conditions.quantity[locale](String(minimum.quantity))]
        : []
  return [...least, ...(is_limited ? [conditions.limited[locale]] : [])].join(JOINED[locale])
}

/** To make one takes longer than all else that is said of a coupon or a product. */
const formats = new Map<string, Intl.NumberFormat>()
function formatOf(locale: Locale, currency: string): Intl.NumberFormat {
  const key = `${locale} ${currency}`
  const format = formats.get(key) ?? new Intl.NumberFormat(locale, { style: 'currency', currency })
  formats.set(key, format)
  return format
}

export const money = (amount: number, currency: string, locale: Locale): string =>
  withOneYenSign(formatOf(locale, currency).format(amount / 10 ** currencyDigits(currency)))

const exampleGoods = {
  shirt: { ja: 'リネンのシャツ', en: 'Linen shirt' },
  cup: { ja: 'コーヒーカップ', en: 'Coffee cup' },
}
const EXAMPLE_CODE = 'OBK7K3PX9WM'
/** Example data for a mail of a scenario, when there is no event. */
export const exampleVariables = (locale: Locale, storeUrl: string, now: Date): RecipientVariables => {
  const title = exampleGoods.shirt[locale]
  const other = exampleGoods.cup[locale]
  const line = { store_product_id: null, store_variant_id: null }
  const shop = storeUrl || 'https://example.com'
  return {
    event: {
      order_name: '#1001',
      amount: 12_800,
      currency: 'JPY',
      lines: [
        { ...line, title, quantity: 1, amount: 4_800 },
        { ...line, title: other, quantity: 2, amount: 7_000 },
      ],
      recovery_url: `${shop}/checkout`,
      coupon_code: EXAMPLE_CODE,
      day: now.toISOString().slice(0, 10),
      product: { title, url: shop, image_url: '', variant: 'M' },
      may_cancel: true,
    },
    coupon: {
      code: EXAMPLE_CODE,
      ratio_percent: 10,
      minimum: { kind: 'subtotal', amount: 5_000 },
      currency: 'JPY',
      expires_at: new Date(now.getTime() + 14 * 86_400_000).toISOString(),
    },
  }
}

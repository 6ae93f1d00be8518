import type { Localized } from '../../locale.ts'
import type { ConditionType, Reading } from './condition-type.ts'
import { checkMeasured, compared, counted, isNone, isOne, type MeasuredValue, measuredOperators } from './measured.ts'
import {
  checkList,
  checkObject,
  isObject,
  MAX_AMOUNT,
  MAX_COUNT,
  one,
  partsOf,
  whyNotId,
  whyNotText,
} from './value-checks.ts'
import { checkWindow, inWindow, type Window } from './window.ts'
import { list } from './wording.ts'
import { moneyOf, named, plain } from './phrases.ts'

/**
 * The orders that count: those that match every given list, by any entry of the list. Ids are ours (`Product.id`); vendors, tags and codes are
 * texts. All conditions on products must be true for the same line.
 */
export interface OrderFilter {
  products?: string[]
  variants?: string[]
  collections?: string[]
  vendors?: string[]
  product_tags?: string[]
  order_tags?: string[]
  discount_codes?: string[]
}
export const orderFilterKeys = [
  'products',
  'variants',
  'collections',
  'vendors',
  'product_tags',
  'order_tags',
  'discount_codes',
] as const satisfies readonly (keyof OrderFilter)[]
const idKeys = ['products', 'variants', 'collections'] as const
type IdKey = (typeof idKeys)[number]
const isIdKey = (key: string): key is IdKey => (idKeys as readonly string[]).includes(key)

/**
 * `count` of orders, `amount` (major units: the orders' sum after refunds, or that of matching lines if the filter asks about products),
 * `quantity` of items.
 */
export interface OrderedValue {
  measure: 'count' | 'amount' | 'quantity'
  value: MeasuredValue
  filter: OrderFilter
  window: Window
}

interface Phrases {
  filter: Record<keyof OrderFilter, (list: string) => Localized>
  ofOrders: (filters: readonly string[]) => Localized
  measure: Record<OrderedValue['measure'], (what: string, amount: string) => Localized>
  never: (what: string, amount: string) => Localized
}
/** In Japanese, products are bought a number of times; orders are only counted. */
const boughtOf = (what: string): string => (what.endsWith('注文') ? `${what}の` : `${what}の購入`)
const phrases: Phrases = {
  filter: {
    products: (list) => ({ ja: `商品${list}`, en: `with product ${list}` }),
    variants: (list) => ({ ja: `バリエーション${list}`, en: `with variant ${list}` }),
    collections: (list) => ({ ja: `コレクション${list}の商品`, en: `with a product of collection ${list}` }),
    vendors: (list) => ({ ja: `販売元${list}の商品`, en: `with a product of vendor ${list}` }),
    product_tags: (list) => ({ ja: `タグ${list}の商品`, en: `with a product tagged ${list}` }),
    order_tags: (list) => ({ ja: `タグ${list}の注文`, en: `tagged ${list}` }),
    discount_codes: (list) => ({ ja: `クーポン${list}を使った注文`, en: `using code ${list}` }),
  },
  ofOrders: (filters) => ({
    ja: filters.length === 0 ? '注文' : filters.join('で、'),
    en: ['orders', ...filters].join(' '),
  }),
  measure: {
    count: (what, amount) => ({
      ja: `${boughtOf(what)}回数が${amount}`,
      en: isOne(amount) ? `there is ${amount} ${what.replace(/^orders/, 'order')}` : `there are ${amount} ${what}`,
    }),
    amount: (what, amount) => ({ ja: `${boughtOf(what)}金額が${amount}`, en: `${what} come to ${amount} in all` }),
    quantity: (what, amount) => ({
      ja: `${boughtOf(what)}点数が${amount}`,
      en: `${what} hold ${counted(amount, 'item')}`,
    }),
  },
  never: (what, amount) => ({ ja: `${what}の購入がない（${amount}）`, en: `there are no ${what} (${amount})` }),
}

const filtersOf = (filter: OrderFilter | undefined, reading: Reading): string[] =>
  orderFilterKeys.flatMap((key) => {
    const values = filter?.[key]
    if (!values) return []
    return [
      phrases.filter[key](isIdKey(key) ? named(reading, key, values) : list(reading.say, values, String))[
        reading.locale
      ],
    ]
  })

/** A count, sum or quantity over filtered orders, in a window. */
export const ordered = {
  operators: measuredOperators('ordered'),
  check(value, _field, operator) {
    const measure = isObject(value) ? value['measure'] : undefined
    const filter = Object.fromEntries(
      orderFilterKeys.map((key) => [key, (list: unknown) => checkList(list, isIdKey(key) ? whyNotId : whyNotText)]),
    )
    return checkObject(value, {
      measure: (item) => one(item === 'count' || item === 'amount' || item === 'quantity' ? null : 'not_allowed'),
      value: (item) =>
        checkMeasured(item, operator, measure === 'amount' ? { max: MAX_AMOUNT } : { max: MAX_COUNT, whole: true }),
      filter: (item) => checkObject(item, {}, filter),
      window: checkWindow,
    })
  },
  say({ operator, value, reading }) {
    const { locale, say } = reading
    const { measure = 'count', filter, window, value: wanted } = partsOf<OrderedValue>(value)
    const what = phrases.ofOrders(filtersOf(filter, reading))[locale]
    const amount = compared(operator, wanted, reading, (each) => {
      if (measure === 'amount') return moneyOf(each, reading)
      return say.number(plain(each, reading), measure === 'count' ? '回' : '点')
    })
    const said = isNone(operator, wanted) ? phrases.never(what, amount) : phrases.measure[measure]?.(what, amount)
    return inWindow(window, said?.[locale] ?? say.missing, reading)
  },
  references(value) {
    const { filter } = partsOf<OrderedValue>(value)
    return idKeys.map((kind) => ({ kind, ids: filter?.[kind] ?? [], key: `.filter.${kind}` }))
  },
  amounts(value) {
    const { measure, value: wanted } = partsOf<OrderedValue>(value)
    return measure === 'amount' ? [wanted].flat() : []
  },
} as const satisfies ConditionType

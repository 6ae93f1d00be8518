import type { Locale } from '../locale.ts'
import { currencyDigits } from '../money.ts'
import type { Condition, Leaf } from './condition.ts'
import { type ConditionCategory, type ConditionField, conditionCategories, findField } from './condition-fields.ts'
import {
  type MailsValue,
  type OrderedValue,
  orderFilterKeys,
  type ProductsValue,
  type ThingsValue,
  type Window,
} from './condition-values.ts'

/** What ids in conditions stand for. */
export type NamedKind = 'products' | 'variants' | 'collections' | 'campaigns' | 'segments'
export interface ConditionNames {
  /** The title to show; null or undefined where it is not known, then the id itself is shown. */
  nameOf?: (kind: NamedKind, id: string) => string | null | undefined
  /** The merchant's, with their metafields. */
  categories?: readonly ConditionCategory[]
  /** ISO 4217; JPY where nothing is said. */
  currency?: string
}

/** How one language says it. Fields and values are put in ready. */
interface Phrases {
  language: string
  missing: string
  unknownField: string
  everyone: string
  sentence: (rule: string) => string
  and: string
  or: string
  group: (rule: string) => string
  not: (rule: string, several: boolean) => string
  quoted: (text: string) => string
  anyOf: string
  allOf: string
  /** Between the values of a list that is said to be one (「A」「B」のいずれか). */
  inList: string
  field: (name: string) => string
  /** Whether a field of several values has any. */
  anyThere: (field: string, yes: boolean) => string
  number: (text: string, unit: string) => string
  leaf: Record<string, (field: string, value: string, to: string) => string>
  /** In place of `leaf` where more than one value is listed. */
  ofSeveral: Record<string, (field: string, value: string) => string>
  text: Record<string, (field: string, value: string, to: string) => string>
  boolean: (name: string, field: string, yes: boolean) => string
  birthday: Record<string, (value: string) => string>
  window: (window: Window, days: string, from: string, to: string) => string
  inWindow: (window: string, what: string) => string
  filter: Record<(typeof orderFilterKeys)[number], (list: string) => string>
  ofOrders: (filters: readonly string[]) => string
  measure: Record<OrderedValue['measure'], (what: string, amount: string) => string>
  neverOrdered: (what: string) => string
  compare: Record<string, (value: string, to: string) => string>
  mails: Record<string, (campaigns: string, amount: string) => string>
  noMails: Record<string, (campaigns: string) => string>
  ofCampaigns: (list: string) => string
  things: Record<string, { has: (about: string) => string; not: (about: string) => string }>
  withProducts: (list: string) => string
  withAmount: (amount: string) => string
  bought: (list: string) => string
  notBought: (list: string, several: boolean) => string
  member: (list: string) => string
  notMember: (list: string) => string
}

/** Products are bought so many times; of orders their number is counted. */
const boughtOf = (what: string): string => (what.endsWith('注文') ? `${what}の` : `${what}の購入`)

const ja: Phrases = {
  language: 'ja-JP',
  missing: '…',
  unknownField: '（使えない項目）',
  everyone: '条件がまだありません',
  sentence: (rule) => `次に当てはまるお客様：${rule}`,
  and: '、かつ',
  or: '、または',
  group: (rule) => `（${rule}）`,
  not: (rule, several) => (several ? `（${rule}）のいずれでもない` : `（${rule}）ではない`),
  quoted: (text) => `「${text}」`,
  anyOf: 'または',
  allOf: 'と',
  inList: '',
  field: (name) => name,
  anyThere: (field, yes) => (yes ? `${field}の登録がある` : `${field}の登録がない`),
  number: (text, unit) => `${text}${unit}`,
  leaf: {
    equals: (field, value) => `${field}が${value}`,
    not_equals: (field, value) => `${field}が${value}ではない`,
    greater: (field, value) => `${field}が${value}を超える`,
    greater_or_equal: (field, value) => `${field}が${value}以上`,
    less: (field, value) => `${field}が${value}未満`,
    less_or_equal: (field, value) => `${field}が${value}以下`,
    between: (field, value, to) => `${field}が${value}から${to}まで`,
    before: (field, value) => `${field}が${value}より前`,
    after: (field, value) => `${field}が${value}より後`,
    on: (field, value) => `${field}が${value}`,
    within_last_days: (field, value) => `${field}が直近${value}日以内`,
    more_than_days_ago: (field, value) => `${field}が${value}日より前`,
    is_set: (field) => `${field}の登録がある`,
    is_not_set: (field) => `${field}の登録がない`,
    has: (field, value) => `${field}に${value}がある`,
    has_all: (field, value) => `${field}に${value}がある`,
    has_not: (field, value) => `${field}に${value}がない`,
    is_one_of: (field, value) => `${field}が${value}`,
    is_none_of: (field, value) => `${field}が${value}ではない`,
    starts_with_any: (field, value) => `${field}が${value}で始まる`,
    starts_with_none: (field, value) => `${field}が${value}で始まらない`,
  },
  // 「AまたはBがない」 could mean either; of several it is said that none is there.
  ofSeveral: {
    has: (field, value) => `${field}に${value}のいずれかがある`,
    is_one_of: (field, value) => `${field}が${value}のいずれか`,
    starts_with_any: (field, value) => `${field}が${value}のいずれかで始まる`,
    has_all: (field, value) => `${field}に${value}のすべてがある`,
    has_not: (field, value) => `${field}に${value}のいずれもない`,
    is_none_of: (field, value) => `${field}が${value}のいずれでもない`,
    starts_with_none: (field, value) => `${field}が${value}のいずれでも始まらない`,
  },
  text: {
    equals: (field, value) => `${field}が${value}と一致する`,
    not_equals: (field, value) => `${field}が${value}と一致しない`,
    contains: (field, value) => `${field}に${value}を含む`,
    not_contains: (field, value) => `${field}に${value}を含まない`,
    starts_with: (field, value) => `${field}が${value}で始まる`,
    ends_with: (field, value) => `${field}が${value}で終わる`,
  },
  boolean: (name, field, yes) => {
    if (name === 'suppressed') return yes ? '配信除外中である' : '配信除外中ではない'
    if (name === 'line_connected') return yes ? 'LINEと連携している' : 'LINEと連携していない'
    if (name === 'accepts_marketing' || name === 'accepts_transactions')
      return yes ? `${field}がある` : `${field}がない`
    return yes ? `${field}が「はい」` : `${field}が「いいえ」`
  },
  birthday: {
    month_is: (value) => `誕生日が${value}`,
    day_of_month_is: (value) => `誕生日が${value}日（月は問わない）`,
    is_today: () => '誕生日が今日',
    within_next_days: (value) => `誕生日が今日から${value}日以内`,
  },
  window: (window, days, from, to) => {
    if (window === null) return ''
    return 'within_days' in window ? `直近${days}日以内に` : `${from}から${to}までに`
  },
  inWindow: (window, what) => `${window}${what}`,
  filter: {
    products: (list) => `商品${list}`,
    variants: (list) => `バリエーション${list}`,
    collections: (list) => `コレクション${list}の商品`,
    vendors: (list) => `販売元${list}の商品`,
    product_tags: (list) => `タグ${list}の商品`,
    order_tags: (list) => `タグ${list}の注文`,
    discount_codes: (list) => `クーポン${list}を使った注文`,
  },
  ofOrders: (filters) => (filters.length === 0 ? '注文' : `${filters.join('で、')}`),
  measure: {
    count: (what, amount) => `${boughtOf(what)}回数が${amount}`,
    amount: (what, amount) => `${boughtOf(what)}金額が${amount}`,
    quantity: (what, amount) => `${boughtOf(what)}点数が${amount}`,
  },
  neverOrdered: (what) => `${what}の購入がない`,
  compare: {
    at_least: (value) => `${value}以上`,
    at_most: (value) => `${value}以下`,
    exactly: (value) => `${value}`,
    between: (value, to) => `${value}から${to}まで`,
  },
  mails: {
    emails_received: (campaigns, amount) => `${campaigns}メールの受信が${amount}`,
    emails_opened: (campaigns, amount) => `${campaigns}メールの開封が${amount}`,
    emails_clicked: (campaigns, amount) => `${campaigns}メールのクリックが${amount}`,
  },
  noMails: {
    emails_received: (campaigns) => `${campaigns}メールを受信していない（0通）`,
    emails_opened: (campaigns) => `${campaigns}メールを開封していない（0通）`,
    emails_clicked: (campaigns) => `${campaigns}メールをクリックしていない（0通）`,
  },
  ofCampaigns: (list) => `キャンペーン${list}の`,
  things: {
    checkout_unfinished: {
      has: (about) => `${about}チェックアウトを始めて完了していない`,
      not: (about) => `${about}未完了のチェックアウトがない`,
    },
    checkout_completed: {
      has: (about) => `${about}チェックアウトを完了した`,
      not: (about) => `${about}完了したチェックアウトがない`,
    },
    cart_unfinished: {
      has: (about) => `${about}カートに商品を入れたまま購入していない`,
      not: (about) => `${about}購入前のカートがない`,
    },
    cart_completed: {
      has: (about) => `${about}カートから購入した`,
      not: (about) => `${about}購入に至ったカートがない`,
    },
    favorite: {
      has: (about) => `${about}お気に入りに登録している`,
      not: (about) => `${about}お気に入りの登録がない`,
    },
    restock_waiting: {
      has: (about) => `${about}再入荷通知を申し込んで待っている`,
      not: (about) => `${about}待っている再入荷通知の申込みがない`,
    },
    restock_notified: {
      has: (about) => `${about}再入荷の通知を受け取った`,
      not: (about) => `${about}受け取った再入荷の通知がない`,
    },
  },
  withProducts: (list) => `商品${list}について`,
  withAmount: (amount) => `${amount}以上の`,
  bought: (list) => `${list}を購入した`,
  notBought: (list, several) => (several ? `${list}のいずれも購入していない` : `${list}を購入していない`),
  member: (list) => `セグメント${list}に入っている`,
  notMember: (list) => `セグメント${list}に入っていない`,
}

/** "exactly 1 email", "at least 2 emails": the last number decides. */
const isOne = (amount: string): boolean => /(?:^| )1$/.test(amount) && !amount.startsWith('from ')
const counted = (amount: string, thing: string): string => `${amount} ${thing}${isOne(amount) ? '' : 's'}`
const wereOf = (amount: string): string => (isOne(amount) ? 'was' : 'were')

const en: Phrases = {
  language: 'en-US',
  missing: '…',
  unknownField: '(a field that cannot be used)',
  everyone: 'No conditions yet',
  sentence: (rule) => `Customers where ${rule}`,
  and: ' and ',
  or: ' or ',
  group: (rule) => `(${rule})`,
  not: (rule, several) => (several ? `none of these is true: (${rule})` : `it is not true that (${rule})`),
  quoted: (text) => `“${text}”`,
  anyOf: ' or ',
  allOf: ' and ',
  inList: ' or ',
  field: (name) => (/^\p{Lu}\p{Ll}/u.test(name) ? `the ${name.charAt(0).toLowerCase()}${name.slice(1)}` : name),
  anyThere: (field, yes) => (yes ? `${field} are set` : `${field} are not set`),
  number: (text) => text,
  leaf: {
    equals: (field, value) => `${field} is ${value}`,
    not_equals: (field, value) => `${field} is not ${value}`,
    greater: (field, value) => `${field} is more than ${value}`,
    greater_or_equal: (field, value) => `${field} is at least ${value}`,
    less: (field, value) => `${field} is less than ${value}`,
    less_or_equal: (field, value) => `${field} is at most ${value}`,
    between: (field, value, to) => `${field} is from ${value} to ${to}`,
    before: (field, value) => `${field} is before ${value}`,
    after: (field, value) => `${field} is after ${value}`,
    on: (field, value) => `${field} is ${value}`,
    within_last_days: (field, value) => `${field} is within the last ${value} days`,
    more_than_days_ago: (field, value) => `${field} is more than ${value} days ago`,
    is_set: (field) => `${field} is set`,
    is_not_set: (field) => `${field} is not set`,
    has: (field, value) => `${field} include ${value}`,
    has_all: (field, value) => `${field} include all of ${value}`,
    has_not: (field, value) => `${field} do not include ${value}`,
    is_one_of: (field, value) => `${field} is ${value}`,
    is_none_of: (field, value) => `${field} is not ${value}`,
    starts_with_any: (field, value) => `${field} starts with ${value}`,
    starts_with_none: (field, value) => `${field} does not start with ${value}`,
  },
  ofSeveral: {
    has_not: (field, value) => `${field} include none of ${value}`,
    is_none_of: (field, value) => `${field} is none of ${value}`,
    starts_with_none: (field, value) => `${field} starts with none of ${value}`,
  },
  text: {
    equals: (field, value) => `${field} is ${value}`,
    not_equals: (field, value) => `${field} is not ${value}`,
    contains: (field, value) => `${field} contains ${value}`,
    not_contains: (field, value) => `${field} does not contain ${value}`,
    starts_with: (field, value) => `${field} starts with ${value}`,
    ends_with: (field, value) => `${field} ends with ${value}`,
  },
  boolean: (name, field, yes) => {
    if (name === 'suppressed') return yes ? 'the address is suppressed' : 'the address is not suppressed'
    if (name === 'line_connected') return yes ? 'LINE is connected' : 'LINE is not connected'
    if (name === 'accepts_marketing' || name === 'accepts_transactions')
      return yes ? `${field} is given` : `${field} is not given`
    return yes ? `${field} is “yes”` : `${field} is “no”`
  },
  birthday: {
    month_is: (value) => `the birthday is in ${value}`,
    day_of_month_is: (value) => `the birthday is on day ${value} of a month`,
    is_today: () => 'the birthday is today',
    within_next_days: (value) => `the birthday is within ${value} days from today`,
  },
  window: (window, days, from, to) => {
    if (window === null) return ''
    return 'within_days' in window ? ` within the last ${days} days` : ` from ${from} to ${to}`
  },
  inWindow: (window, what) => `${what}${window}`,
  filter: {
    products: (list) => `with product ${list}`,
    variants: (list) => `with variant ${list}`,
    collections: (list) => `with a product of collection ${list}`,
    vendors: (list) => `with a product of vendor ${list}`,
    product_tags: (list) => `with a product tagged ${list}`,
    order_tags: (list) => `tagged ${list}`,
    discount_codes: (list) => `using code ${list}`,
  },
  ofOrders: (filters) => ['orders', ...filters].join(' '),
  measure: {
    count: (what, amount) =>
      isOne(amount) ? `there is ${amount} ${what.replace(/^orders/, 'order')}` : `there are ${amount} ${what}`,
    amount: (what, amount) => `${what} come to ${amount} in all`,
    quantity: (what, amount) => `${what} hold ${counted(amount, 'item')}`,
  },
  neverOrdered: (what) => `there are no ${what}`,
  compare: {
    at_least: (value) => `at least ${value}`,
    at_most: (value) => `at most ${value}`,
    exactly: (value) => `exactly ${value}`,
    between: (value, to) => `from ${value} to ${to}`,
  },
  mails: {
    emails_received: (campaigns, amount) => `${counted(amount, 'email')}${campaigns} ${wereOf(amount)} received`,
    emails_opened: (campaigns, amount) => `${counted(amount, 'email')}${campaigns} ${wereOf(amount)} opened`,
    emails_clicked: (campaigns, amount) => `${counted(amount, 'email')}${campaigns} ${wereOf(amount)} clicked`,
  },
  noMails: {
    emails_received: (campaigns) => `no email (0)${campaigns} was received`,
    emails_opened: (campaigns) => `no email (0)${campaigns} was opened`,
    emails_clicked: (campaigns) => `no email (0)${campaigns} was clicked`,
  },
  ofCampaigns: (list) => ` of campaign ${list}`,
  things: {
    checkout_unfinished: {
      has: (about) => `a checkout was begun and not finished${about}`,
      not: (about) => `there is no unfinished checkout${about}`,
    },
    checkout_completed: {
      has: (about) => `a checkout was completed${about}`,
      not: (about) => `there is no completed checkout${about}`,
    },
    cart_unfinished: {
      has: (about) => `a cart was filled and not ordered${about}`,
      not: (about) => `there is no unfinished cart${about}`,
    },
    cart_completed: {
      has: (about) => `a cart became an order${about}`,
      not: (about) => `there is no cart that became an order${about}`,
    },
    favorite: {
      has: (about) => `there is a favorite${about}`,
      not: (about) => `there is no favorite${about}`,
    },
    restock_waiting: {
      has: (about) => `a restock notice is awaited${about}`,
      not: (about) => `no restock notice is awaited${about}`,
    },
    restock_notified: {
      has: (about) => `a restock notice was sent${about}`,
      not: (about) => `no restock notice was sent${about}`,
    },
  },
  withProducts: (list) => ` with product ${list}`,
  withAmount: (amount) => ` over at least ${amount}`,
  bought: (list) => `${list} was bought`,
  notBought: (list, several) => (several ? `none of ${list} was bought` : `${list} was not bought`),
  member: (list) => `the customer is in segment ${list}`,
  notMember: (list) => `the customer is not in segment ${list}`,
}

const phrases: Record<Locale, Phrases> = { ja, en }

/** A condition read out as one sentence. Never throws: parts that are unfinished or cannot be used are said to be so. */
export function describeCondition(condition: Condition, locale: Locale, names: ConditionNames = {}): string {
  const say = phrases[locale]
  if (condition.type === 'group' && condition.children.length === 0) return say.everyone
  return say.sentence(describeRule(condition, locale, names))
}

/** The same without who it is about, as a part of another sentence. */
export const describeRule = (condition: Condition, locale: Locale, names: ConditionNames = {}): string =>
  ruleOf(condition, { say: phrases[locale], locale, names, outermost: true })

/** One comparison read out, as a row of a list. */
export function describeComparison(leaf: Leaf, locale: Locale, names: ConditionNames = {}): string {
  const text = comparison(leaf, { say: phrases[locale], locale, names, outermost: true })
  return text.charAt(0).toUpperCase() + text.slice(1)
}

interface Saying {
  say: Phrases
  locale: Locale
  names: ConditionNames
  outermost: boolean
}

function ruleOf(condition: Condition, saying: Saying): string {
  if (condition.type === 'condition') return comparison(condition, saying)
  const { say, outermost } = saying
  const { operator, children } = condition
  if (children.length === 0) return say.missing
  const parts = children.map((child) => ruleOf(child, { ...saying, outermost: false }))
  const rule = parts.join(operator === 'and' ? say.and : say.or)
  if (operator === 'not') return say.not(rule, parts.length > 1)
  return outermost || parts.length === 1 ? rule : say.group(rule)
}

function comparison(leaf: Leaf, saying: Saying): string {
  const { say, locale, names } = saying
  const field = findField(leaf, names.categories ?? conditionCategories)
  if (!field) return say.unknownField
  const { operator, value } = leaf
  const called = say.field(locale === 'ja' ? field.name_ja : field.name_en)
  if (operator === 'is_set' || operator === 'is_not_set') {
    if (field.type === 'tags') return say.anyThere(called, operator === 'is_set')
    return say.leaf[operator]?.(called, '', '') ?? say.missing
  }
  const [first, second] = Array.isArray(value) ? value : [value, value]
  switch (field.type) {
    case 'text':
      if (operator === 'is_one_of' || operator === 'is_none_of') return listed(say, operator, called, value)
      return say.text[operator]?.(called, textOf(say, value), '') ?? say.missing
    case 'number':
      return (
        say.leaf[operator]?.(called, numberOf(first, field, saying), numberOf(second, field, saying)) ?? say.missing
      )
    case 'boolean':
      return typeof value === 'boolean' ? say.boolean(field.name, called, value) : say.missing
    case 'date':
      if (operator === 'within_last_days' || operator === 'more_than_days_ago')
        return say.leaf[operator]?.(called, plain(value, saying), '') ?? say.missing
      return say.leaf[operator]?.(called, dayOf(first, say), dayOf(second, say)) ?? say.missing
    case 'tags':
    case 'postal_code':
      return listed(say, operator, called, value)
    case 'choice':
      return listed(say, operator, called, value, (each) => choiceName(field, String(each), locale))
    case 'birthday':
      return (
        say.birthday[operator]?.(operator === 'month_is' ? monthOf(value, say) : plain(value, saying)) ?? say.missing
      )
    case 'product': {
      const { ids, within_days } = objectOf<ProductsValue>(value)
      const what =
        operator === 'bought'
          ? say.bought(named(saying, 'products', ids))
          : say.notBought(named(saying, 'products', ids, say.inList), isSeveral(ids))
      return say.inWindow(windowOf(within_days ? { within_days } : null, saying), what)
    }
    case 'segment':
      return operator === 'is_member'
        ? say.member(named(saying, 'segments', value))
        : say.notMember(named(saying, 'segments', value))
    case 'ordered':
      return orderedText(operator, objectOf<OrderedValue>(value), saying)
    case 'mails':
      return mailsText(field.name, operator, objectOf<MailsValue>(value), saying)
    case 'things':
      return thingsText(field.name, operator, objectOf<ThingsValue>(value), saying)
  }
}

/** An unfinished value may lack any of its parts. */
const objectOf = <T extends object>(value: unknown): Partial<T> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}

const textOf = (say: Phrases, value: unknown): string =>
  typeof value === 'string' && value !== '' ? say.quoted(value) : say.missing

function list(say: Phrases, values: unknown, nameOf: (value: unknown) => string, between = say.anyOf): string {
  if (!Array.isArray(values) || values.length === 0) return say.missing
  const said = values.map((value) => say.quoted(nameOf(value)))
  // “A”, “B” or “C”; Japanese repeats its word between all of them.
  if (say !== en || said.length < 3) return said.join(between)
  return `${said.slice(0, -1).join(', ')}${between}${said.at(-1)}`
}
const isSeveral = (values: unknown): boolean => Array.isArray(values) && values.length > 1

function listed(
  say: Phrases,
  operator: string,
  called: string,
  value: unknown,
  nameOf: (value: unknown) => string = String,
): string {
  const between = operator === 'has_all' ? say.allOf : say.inList
  const phrase = (isSeveral(value) && say.ofSeveral[operator]) || say.leaf[operator]
  return phrase?.(called, list(say, value, nameOf, between), '') ?? say.missing
}

const named = ({ say, names }: Saying, kind: NamedKind, ids: unknown, between = say.anyOf): string =>
  list(say, ids, (id) => names.nameOf?.(kind, String(id)) || String(id), between)

function choiceName(field: ConditionField, value: string, locale: Locale): string {
  const choice = field.choices?.find((each) => each.value === value)
  if (!choice) return value
  return locale === 'ja' ? choice.name_ja : choice.name_en
}

function plain(value: unknown, { say }: Saying): string {
  return typeof value === 'number'
    ? new Intl.NumberFormat(say.language, { maximumFractionDigits: 10 }).format(value)
    : say.missing
}

function numberOf(value: unknown, field: ConditionField, saying: Saying): string {
  if (field.money) return moneyOf(value, saying)
  return saying.say.number(plain(value, saying), typeof value === 'number' ? (field.unit_ja ?? '') : '')
}

function moneyOf(value: unknown, { say, names }: Saying): string {
  if (typeof value !== 'number') return say.missing
  const currency = names.currency ?? 'JPY'
  try {
    // More digits than the currency has are shown all the same: nothing of what was typed is hidden.
    const digits = { minimumFractionDigits: 0, maximumFractionDigits: Math.max(currencyDigits(currency), 10) }
    return new Intl.NumberFormat(say.language, { style: 'currency', currency, ...digits }).format(value)
  } catch (error) {
    if (error instanceof RangeError) return `${value} ${currency}`
    throw error
  }
}

/** A day is no instant: read and written in UTC it stays the day it is. */
function dayOf(value: unknown, say: Phrases): string {
  if (typeof value !== 'string' || value === '') return say.missing
  const at = new Date(`${value}T00:00:00Z`)
  if (Number.isNaN(at.getTime())) return say.quoted(value)
  return new Intl.DateTimeFormat(say.language, { dateStyle: 'long', timeZone: 'UTC' }).format(at)
}

const monthOf = (value: unknown, say: Phrases): string =>
  typeof value === 'number' && value >= 1 && value <= 12
    ? new Intl.DateTimeFormat(say.language, { month: 'long', timeZone: 'UTC' }).format(Date.UTC(2024, value - 1, 1))
    : say.missing

function windowOf(window: Window | undefined, saying: Saying): string {
  const { say } = saying
  if (!window) return ''
  if ('within_days' in window) return say.window(window, plain(window.within_days, saying), '', '')
  return say.window(window, '', dayOf(window.from, say), dayOf(window.to, say))
}

function compared(operator: string, value: unknown, saying: Saying, amount: (value: unknown) => string): string {
  const [first, second] = Array.isArray(value) ? value : [value, value]
  return saying.say.compare[operator]?.(amount(first), amount(second)) ?? saying.say.missing
}
/** "None at all" is said as such: nobody reads "at most 0 times". */
const isNone = (operator: string, value: unknown): boolean =>
  value === 0 && (operator === 'exactly' || operator === 'at_most')

function orderedText(operator: string, given: Partial<OrderedValue>, saying: Saying): string {
  const { say } = saying
  const filters = orderFilterKeys.flatMap((key) => {
    const values = given.filter?.[key]
    if (!values) return []
    const isId = key === 'products' || key === 'variants' || key === 'collections'
    return [say.filter[key](isId ? named(saying, key, values) : list(say, values, String))]
  })
  const what = say.ofOrders(filters)
  const measure = given.measure ?? 'count'
  const window = windowOf(given.window, saying)
  const amount = compared(operator, given.value, saying, (value) => {
    if (measure === 'amount') return moneyOf(value, saying)
    return say.number(plain(value, saying), measure === 'count' ? '回' : '点')
  })
  const none = isNone(operator, given.value) ? say.neverOrdered(what) : null
  const zero = none && `${none}${saying.locale === 'ja' ? `（${amount}）` : ` (${amount})`}`
  return say.inWindow(window, zero ?? say.measure[measure]?.(what, amount) ?? say.missing)
}

function mailsText(name: string, operator: string, given: Partial<MailsValue>, saying: Saying): string {
  const { say } = saying
  const campaigns = given.campaigns ? say.ofCampaigns(named(saying, 'campaigns', given.campaigns)) : ''
  const amount = compared(operator, given.value, saying, (value) => say.number(plain(value, saying), '通'))
  const what = isNone(operator, given.value) ? say.noMails[name]?.(campaigns) : say.mails[name]?.(campaigns, amount)
  return say.inWindow(windowOf(given.window, saying), what ?? say.missing)
}

function thingsText(name: string, operator: string, given: Partial<ThingsValue>, saying: Saying): string {
  const { say } = saying
  const about = [
    given.products ? say.withProducts(named(saying, 'products', given.products)) : '',
    typeof given.min_amount === 'number' ? say.withAmount(moneyOf(given.min_amount, saying)) : '',
  ].join('')
  const what = say.things[name]?.[operator === 'has' ? 'has' : 'not'](about)
  return say.inWindow(windowOf(given.window, saying), what ?? say.missing)
}

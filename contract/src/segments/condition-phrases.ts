import type { Locale } from '../locale.ts'
import type { OrderedValue, orderFilterKeys, Window } from './condition-values.ts'

/** How one language says it. Fields and values are put in ready. */
export interface Phrases {
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
  /** Quoted values one after another, with `anyOf`, `allOf` or `inList` between them. */
  inARow: (values: readonly string[], between: string) => string
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
  /** Of some scenarios that are listed, or, where the list is empty, of any. */
  inScenario: (list: string) => string
  notInScenario: (list: string, several: boolean) => string
  scenarios: Record<string, (list: string, why: string, amount: string) => string>
  noScenarios: Record<string, (list: string, why: string) => string>
  becauseOf: (list: string) => string
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
  sentence: (rule) => `次に当てはまる顧客：${rule}`,
  and: '、かつ',
  or: '、または',
  group: (rule) => `（${rule}）`,
  not: (rule, several) => (several ? `（${rule}）のいずれでもない` : `（${rule}）ではない`),
  quoted: (text) => `「${text}」`,
  inARow: (values, between) => values.join(between),
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
  inScenario: (list) => (list ? `シナリオ${list}に参加中` : 'いずれかのシナリオに参加中'),
  notInScenario(list, several) {
    if (!list) return 'どのシナリオにも参加中ではない'
    return several ? `シナリオ${list}のいずれにも参加中ではない` : `シナリオ${list}に参加中ではない`
  },
  scenarios: {
    scenario_entered: (list, _why, amount) => `シナリオ${list}への参加が${amount}`,
    scenario_ended: (list, why, amount) => `シナリオ${list}の終了${why}が${amount}`,
  },
  noScenarios: {
    scenario_entered: (list) => `シナリオ${list}への参加がない（0回）`,
    scenario_ended: (list, why) => `シナリオ${list}の終了${why}がない（0回）`,
  },
  becauseOf: (list) => `（理由：${list}）`,
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

const scenarioOf = (list: string): string => (list ? `scenario ${list}` : 'a scenario')

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
  inARow: (values, between) =>
    values.length < 3 ? values.join(between) : `${values.slice(0, -1).join(', ')}${between}${values.at(-1)}`,
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
  inScenario: (list) => `the customer is in ${list ? `scenario ${list}` : 'a scenario'}`,
  notInScenario: (list) => (list ? `the customer is not in scenario ${list}` : 'the customer is in no scenario'),
  scenarios: {
    scenario_entered: (list, _why, amount) => `${scenarioOf(list)} was entered ${counted(amount, 'time')}`,
    scenario_ended: (list, why, amount) => `${scenarioOf(list)} ended${why} ${counted(amount, 'time')}`,
  },
  noScenarios: {
    scenario_entered: (list) => (list ? `scenario ${list} was not entered (0)` : 'no scenario was entered (0)'),
    scenario_ended: (list, why) => (list ? `scenario ${list} did not end${why} (0)` : `no scenario ended${why} (0)`),
  },
  becauseOf: (list) => ` (${list})`,
  withProducts: (list) => ` with product ${list}`,
  withAmount: (amount) => ` over at least ${amount}`,
  bought: (list) => `${list} was bought`,
  notBought: (list, several) => (several ? `none of ${list} was bought` : `${list} was not bought`),
  member: (list) => `the customer is in segment ${list}`,
  notMember: (list) => `the customer is not in segment ${list}`,
}

/** What conditions are read out with, by language. */
export const phrases: Record<Locale, Phrases> = { ja, en }

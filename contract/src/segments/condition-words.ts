import type { Locale } from '../locale.ts'
import { currencyDigits, withOneYenSign } from '../money.ts'
import type { Condition, Leaf } from './condition.ts'
import { type ConditionCategory, type ConditionField, conditionCategories, findField } from './condition-fields.ts'
import { type Phrases, phrases } from './condition-phrases.ts'
import {
  type InScenarioValue,
  type MailsValue,
  type OrderedValue,
  orderFilterKeys,
  type ProductsValue,
  type ScenariosValue,
  type ThingsValue,
  type Window,
} from './condition-values.ts'

/** What ids in conditions stand for. */
export type NamedKind = 'products' | 'variants' | 'collections' | 'campaigns' | 'scenarios' | 'segments'
export interface ConditionNames {
  /** The title to show; null or undefined where it is not known, then the id itself is shown. */
  nameOf?: (kind: NamedKind, id: string) => string | null | undefined
  /** The merchant's, with their metafields. */
  categories?: readonly ConditionCategory[]
  /** ISO 4217; JPY where nothing is said. */
  currency?: string
}

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
      if (operator === 'is_one_of' || operator === 'is_none_of') return listed(say, { called, operator, value })
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
      return listed(say, { called, operator, value })
    case 'choice':
      return listed(say, { called, operator, value }, (each) => choiceName(field, String(each), locale))
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
    case 'in_scenario': {
      const { scenarios } = objectOf<InScenarioValue>(value)
      if (operator === 'has') return say.inScenario(scenarios ? named(saying, 'scenarios', scenarios) : '')
      return say.notInScenario(scenarios ? named(saying, 'scenarios', scenarios, say.inList) : '', isSeveral(scenarios))
    }
    case 'scenarios':
      return scenariosText(field, operator, objectOf<ScenariosValue>(value), saying)
  }
}

/** An unfinished value may lack any of its parts. */
const objectOf = <T extends object>(value: unknown): Partial<T> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}

/** Arabic, Hebrew and the like, and what turns the direction of writing. */
const OTHER_DIRECTION =
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u200f\u061c\u202a-\u202e\u2066-\u2069]|[\u{10800}-\u{10fff}]|[\u{1e800}-\u{1efff}]/u
const TURNS = /[\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]/g
/** A value written from right to left, or that turns the writing, does so within its quotes and leaves the sentence as it is. */
const quoted = (say: Phrases, text: string): string =>
  say.quoted(OTHER_DIRECTION.test(text) ? `\u2068${text.replace(TURNS, '')}\u2069` : text)

const textOf = (say: Phrases, value: unknown): string =>
  typeof value === 'string' && value !== '' ? quoted(say, value) : say.missing

function list(say: Phrases, values: unknown, nameOf: (value: unknown) => string, between = say.anyOf): string {
  if (!Array.isArray(values) || values.length === 0) return say.missing
  return say.inARow(
    values.map((value) => quoted(say, nameOf(value))),
    between,
  )
}
const isSeveral = (values: unknown): boolean => Array.isArray(values) && values.length > 1

function listed(
  say: Phrases,
  { called, operator, value }: { called: string; operator: string; value: unknown },
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
    return withOneYenSign(new Intl.NumberFormat(say.language, { style: 'currency', currency, ...digits }).format(value))
  } catch (error) {
    if (error instanceof RangeError) return `${value} ${currency}`
    throw error
  }
}

/** A day is no instant: read and written in UTC it stays the day it is. */
function dayOf(value: unknown, say: Phrases): string {
  if (typeof value !== 'string' || value === '') return say.missing
  const at = new Date(`${value}T00:00:00Z`)
  if (Number.isNaN(at.getTime())) return quoted(say, value)
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

function scenariosText(
  field: ConditionField,
  operator: string,
  given: Partial<ScenariosValue>,
  saying: Saying,
): string {
  const { say, locale } = saying
  const which = given.scenarios ? named(saying, 'scenarios', given.scenarios) : ''
  const why = given.reasons
    ? say.becauseOf(list(say, given.reasons, (each) => choiceName(field, String(each), locale)))
    : ''
  const amount = compared(operator, given.value, saying, (value) => say.number(plain(value, saying), '回'))
  const what = isNone(operator, given.value)
    ? say.noScenarios[field.name]?.(which, why)
    : say.scenarios[field.name]?.(which, why, amount)
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

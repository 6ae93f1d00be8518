import type { Locale } from '../locale.ts'
import type { Condition, Leaf } from './condition.ts'
import { type ConditionCategory, conditionCategories, findField } from './condition-fields.ts'
import type { Reading } from './condition-types/condition-type.ts'
import { conditionTypeOf } from './condition-types/index.ts'
import { type In, wordings } from './condition-types/wording.ts'

export interface ConditionNames {
  nameOf?: Reading['nameOf']
  /** The merchant's, with their metafields. */
  categories?: readonly ConditionCategory[]
  /** ISO 4217; JPY where nothing is said. */
  currency?: string
}

/** What joins comparisons to a rule, whatever their types. */
interface Sentences {
  unknownField: string
  everyone: string
  sentence: (rule: string) => string
  and: string
  or: string
  group: (rule: string) => string
  not: (rule: string, several: boolean) => string
  field: (name: string) => string
  presence: (field: string, yes: boolean) => string
}
const sentences: In<Sentences> = {
  ja: {
    unknownField: '（使えない項目）',
    everyone: '条件がまだありません',
    sentence: (rule) => `次に当てはまる顧客：${rule}`,
    and: '、かつ',
    or: '、または',
    group: (rule) => `（${rule}）`,
    not: (rule, several) => (several ? `（${rule}）のいずれでもない` : `（${rule}）ではない`),
    field: (name) => name,
    presence: (field, yes) => (yes ? `${field}の登録がある` : `${field}の登録がない`),
  },
  en: {
    unknownField: '(a field that cannot be used)',
    everyone: 'No conditions yet',
    sentence: (rule) => `Customers where ${rule}`,
    and: ' and ',
    or: ' or ',
    group: (rule) => `(${rule})`,
    not: (rule, several) => (several ? `none of these is true: (${rule})` : `it is not true that (${rule})`),
    field: (name) => (/^\p{Lu}\p{Ll}/u.test(name) ? `the ${name.charAt(0).toLowerCase()}${name.slice(1)}` : name),
    presence: (field, yes) => (yes ? `${field} is set` : `${field} is not set`),
  },
}

/** A condition read out as one sentence. Never throws: parts that are unfinished or cannot be used are said to be so. */
export function describeCondition(condition: Condition, locale: Locale, names: ConditionNames = {}): string {
  const say = sentences[locale]
  if (condition.type === 'group' && condition.children.length === 0) return say.everyone
  return say.sentence(describeRule(condition, locale, names))
}

/** The same without who it is about, as a part of another sentence. */
export const describeRule = (condition: Condition, locale: Locale, names: ConditionNames = {}): string =>
  ruleOf(condition, locale, names, true)

/** One comparison read out, as a row of a list. */
export function describeComparison(leaf: Leaf, locale: Locale, names: ConditionNames = {}): string {
  const text = comparison(leaf, locale, names)
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function ruleOf(condition: Condition, locale: Locale, names: ConditionNames, outermost: boolean): string {
  if (condition.type === 'condition') return comparison(condition, locale, names)
  const say = sentences[locale]
  const { operator, children } = condition
  if (children.length === 0) return wordings[locale].missing
  const parts = children.map((child) => ruleOf(child, locale, names, false))
  const rule = parts.join(operator === 'and' ? say.and : say.or)
  if (operator === 'not') return say.not(rule, parts.length > 1)
  return outermost || parts.length === 1 ? rule : say.group(rule)
}

function comparison(leaf: Leaf, locale: Locale, names: ConditionNames): string {
  const { categories = conditionCategories, currency = 'JPY', nameOf } = names
  const sentence = sentences[locale]
  const field = findField(leaf, categories)
  if (!field) return sentence.unknownField
  const type = conditionTypeOf(field.type)
  const { operator, value } = leaf
  const called = sentence.field(locale === 'ja' ? field.name_ja : field.name_en)
  if (operator === 'is_set' || operator === 'is_not_set')
    return (type.sayPresence ?? sentence.presence)(called, operator === 'is_set', locale)
  const say = wordings[locale]
  const reading: Reading = { say, locale, currency, ...(nameOf && { nameOf }) }
  return type.say({ field, called, operator, value, reading }) ?? say.missing
}

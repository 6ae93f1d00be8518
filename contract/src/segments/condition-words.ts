import type { Locale } from '../locale.ts'
import type { Condition, Leaf } from './condition.ts'
import { type ConditionCategory, conditionCategories, findField } from './condition-fields.ts'
import type { Reading } from './condition-types/condition-type.ts'
import { conditionTypeOf } from './condition-types/index.ts'
import { wordings } from './condition-types/wording.ts'

export interface ConditionNames {
  nameOf?: Reading['nameOf']
  /** The merchant's categories, with their metafields. */
  categories?: readonly ConditionCategory[]
  /** ISO 4217; JPY by default. */
  currency?: string
}

/** The words that join comparisons to a rule. */
const sentences = {
  unknownField: { ja: '（使えない項目）', en: '(a field that cannot be used)' },
  everyone: { ja: '条件がまだありません', en: 'No conditions yet' },
  sentence: (rule: string) => ({ ja: `次に当てはまる顧客：${rule}`, en: `Customers where ${rule}` }),
  and: { ja: '、かつ', en: ' and ' },
  or: { ja: '、または', en: ' or ' },
  group: (rule: string) => ({ ja: `（${rule}）`, en: `(${rule})` }),
  not: (rule: string, several: boolean) => ({
    ja: several ? `（${rule}）のいずれでもない` : `（${rule}）ではない`,
    en: several ? `none of these is true: (${rule})` : `it is not true that (${rule})`,
  }),
  field: (name: string) => ({
    ja: name,
    en: /^\p{Lu}\p{Ll}/u.test(name) ? `the ${name.charAt(0).toLowerCase()}${name.slice(1)}` : name,
  }),
  presence: (field: string, yes: boolean) => ({
    ja: yes ? `${field}の登録がある` : `${field}の登録がない`,
    en: yes ? `${field} is set` : `${field} is not set`,
  }),
}

/** A condition as one sentence. Never throws: it names incomplete or invalid parts as such. */
export function describeCondition(condition: Condition, locale: Locale, names: ConditionNames = {}): string {
  if (condition.type === 'group' && condition.children.length === 0) return sentences.everyone[locale]
  return sentences.sentence(describeRule(condition, locale, names))[locale]
}

/** The same without its subject, as part of another sentence. */
export const describeRule = (condition: Condition, locale: Locale, names: ConditionNames = {}): string =>
  ruleOf(condition, locale, names, true)

/** One comparison in words, as a row of a list. */
export function describeComparison(leaf: Leaf, locale: Locale, names: ConditionNames = {}): string {
  const text = comparison(leaf, locale, names)
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function ruleOf(condition: Condition, locale: Locale, names: ConditionNames, outermost: boolean): string {
  if (condition.type === 'condition') return comparison(condition, locale, names)
  const { operator, children } = condition
  if (children.length === 0) return wordings[locale].missing
  const parts = children.map((child) => ruleOf(child, locale, names, false))
  const rule = parts.join(sentences[operator === 'and' ? 'and' : 'or'][locale])
  if (operator === 'not') return sentences.not(rule, parts.length > 1)[locale]
  return outermost || parts.length === 1 ? rule : sentences.group(rule)[locale]
}

function comparison(leaf: Leaf, locale: Locale, names: ConditionNames): string {
  const { categories = conditionCategories, currency = 'JPY', nameOf } = names
  const field = findField(leaf, categories)
  if (!field) return sentences.unknownField[locale]
  const type = conditionTypeOf(field.type)
  const { operator, value } = leaf
  const called = sentences.field(field[`name_${locale}`])[locale]
  if (operator === 'is_set' || operator === 'is_not_set')
    return (type.sayPresence ?? sentences.presence)(called, operator === 'is_set')[locale]
  const say = wordings[locale]
  const reading: Reading = { say, locale, currency, ...(nameOf && { nameOf }) }
  return type.say({ field, called, operator, value, reading }) ?? say.missing
}

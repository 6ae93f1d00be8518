import { z } from 'zod'
import type { FieldReason } from '../errors.ts'
import { hasControlCharacters } from '../fields.ts'
import { type ConditionField, type FieldType, MAX_AMOUNT, MAX_COUNT, type Operator } from './condition-fields.ts'

/** When something happened. Null: at any time. Days are the merchant's; both ends included. */
export type Window = { within_days: number } | { from: string; to: string } | null

/**
 * Which orders are looked at: those that fit every list given; of each list any entry will do. Ids are ours (`Product.id`), vendors,
 * tags and codes are texts. What is said of products must be true of one and the same line.
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
const idKeys: readonly string[] = ['products', 'variants', 'collections']

/**
 * `count` orders, `amount` (major units: what the orders come to after refunds, or their lines that fit where a filter asks about
 * products), `quantity` of items. `value` is a pair for `between`.
 */
export interface OrderedValue {
  measure: 'count' | 'amount' | 'quantity'
  value: number | [number, number]
  filter: OrderFilter
  window: Window
}
/** Mails, not opens of one mail. `campaigns`: of any of these (ids); null: whatever mail. `value` is a pair for `between`. */
export interface MailsValue {
  value: number | [number, number]
  campaigns: string[] | null
  window: Window
}
/** `products`: with any of these (ids); null: whatever it holds. `min_amount` in major units, only where the field has an amount. */
export interface ThingsValue {
  products: string[] | null
  min_amount: number | null
  window: Window
}
/** Any of these scenarios (ids, in lower case); null: whatever scenario. */
export interface InScenarioValue {
  scenarios: string[] | null
}
/**
 * Each time a customer entered or ended a scenario. `scenarios` as in {@link InScenarioValue}; `reasons`: for any of these choices of
 * the field; null: for whatever reason, and where the field has none. `value` is a pair for `between`.
 */
export interface ScenariosValue extends InScenarioValue {
  value: number | [number, number]
  reasons: string[] | null
  window: Window
}
/** `ids`: any of these products of ours. Null days: at any time. */
export interface ProductsValue {
  ids: string[]
  within_days: number | null
}

/** What {@link valueShapeOf} tells for the field and operator. */
export type LeafValue =
  | string
  | number
  | boolean
  | null
  | (string | number)[]
  | ProductsValue
  | OrderedValue
  | MailsValue
  | ThingsValue
  | InScenarioValue
  | ScenariosValue

/** Entries of a list where a list is natural. */
export const MAX_LIST = 2000
const MAX_SEGMENTS = 20
const MAX_TEXT = 1000
/** Days a relative date can reach back; a birthday is at most a leap year ahead. */
const MAX_DAYS_BACK = 3650
const MAX_DAYS_AHEAD = 366
/** Years a date may name; outside them zones have no whole-minute offsets, and no store has customers. */
const FIRST_YEAR = 1900
const LAST_YEAR = 2199

/** What the value of a comparison is; the page chooses its input by it. */
export type ValueShape =
  | 'none'
  | 'text'
  /** A list of texts; any of them counts. */
  | 'texts'
  | 'number'
  /** `[from, to]`, both included. */
  | 'number_range'
  | 'boolean'
  /** `YYYY-MM-DD`, a day in the merchant's zone. */
  | 'date'
  /** `[from, to]`, both days included. */
  | 'date_range'
  /** Whole days; 0 is today. */
  | 'days'
  /** 1–12. */
  | 'month'
  /** 1–31. */
  | 'day_of_month'
  /** A list of the field's choices. */
  | 'choices'
  /** A list of tags. */
  | 'tags'
  /** A list of beginnings of postal codes; hyphens and width do not matter. */
  | 'postal_prefixes'
  /** A list of ids of segments; any of them counts. */
  | 'segments'
  /** {@link ProductsValue}. */
  | 'products'
  /** {@link OrderedValue}. */
  | 'ordered'
  /** {@link MailsValue}. */
  | 'mails'
  /** {@link ThingsValue}. */
  | 'things'
  /** {@link InScenarioValue}. */
  | 'in_scenario'
  /** {@link ScenariosValue}. */
  | 'scenarios'

/** Shape of the value for a field type and one of its operators. */
export function valueShapeOf(type: FieldType, operator: Operator): ValueShape {
  if (operator === 'is_set' || operator === 'is_not_set' || operator === 'is_today') return 'none'
  switch (type) {
    case 'text':
      return operator === 'is_one_of' || operator === 'is_none_of' ? 'texts' : 'text'
    case 'number':
      return operator === 'between' ? 'number_range' : 'number'
    case 'boolean':
      return 'boolean'
    case 'date':
      if (operator === 'between') return 'date_range'
      return operator === 'within_last_days' || operator === 'more_than_days_ago' ? 'days' : 'date'
    case 'tags':
      return 'tags'
    case 'choice':
      return 'choices'
    case 'birthday':
      if (operator === 'month_is') return 'month'
      return operator === 'day_of_month_is' ? 'day_of_month' : 'days'
    case 'postal_code':
      return 'postal_prefixes'
    case 'product':
      return 'products'
    case 'segment':
      return 'segments'
    case 'ordered':
    case 'mails':
    case 'things':
    case 'in_scenario':
    case 'scenarios':
      return type
  }
}

/** What is wrong, by the key behind the value's path (`.filter.products.0`). */
export type Wrong = [key: string, reason: FieldReason][]
const one = (reason: FieldReason | null, key = ''): Wrong => (reason ? [[key, reason]] : [])

/** What is wrong with a value that has come in from anywhere: nothing is taken for granted about it. */
export function checkValue(field: ConditionField, operator: Operator, value: unknown): Wrong {
  const shape = valueShapeOf(field.type, operator)
  if (shape === 'none') return one(value === null || value === undefined ? null : 'not_allowed')
  if (value === null || value === undefined || value === '') return one('required')
  const numbers = (item: unknown): FieldReason | null => whyNotNumber(item, field)
  switch (shape) {
    case 'text':
      return one(whyNotText(value))
    case 'texts':
    case 'tags':
      return checkList(value, whyNotText)
    case 'number':
      return one(numbers(value))
    case 'number_range':
      return checkRange(value, numbers)
    case 'boolean':
      return one(typeof value === 'boolean' ? null : 'not_a_boolean')
    case 'date':
      return one(whyNotDate(value))
    case 'date_range':
      return checkRange(value, whyNotDate)
    case 'days':
      return one(whyNotWhole(value, 0, field.type === 'birthday' ? MAX_DAYS_AHEAD : MAX_DAYS_BACK))
    case 'month':
      return one(whyNotWhole(value, 1, 12))
    case 'day_of_month':
      return one(whyNotWhole(value, 1, 31))
    case 'choices':
      return checkList(value, whyNotChoice(field))
    case 'postal_prefixes':
      return checkList(value, whyNotPostal)
    case 'segments':
      return checkList(value, whyNotUsedId, MAX_SEGMENTS)
    case 'products':
      return checkObject(value, {
        ids: (ids) => checkList(ids, whyNotId),
        within_days: (within) => one(within === null ? null : whyNotWhole(within, 1, MAX_DAYS_BACK)),
      })
    case 'ordered':
      return checkOrdered(value, operator)
    case 'mails':
      return checkObject(value, {
        value: (item) => checkAmount(item, operator, { max: MAX_COUNT, whole: true }),
        campaigns: (ids) => (ids === null ? [] : checkList(ids, whyNotId)),
        window: checkWindow,
      })
    case 'things':
      return checkObject(value, {
        products: (ids) => (ids === null ? [] : checkList(ids, whyNotId)),
        min_amount: (item) => {
          if (item === null) return []
          return one(field.has_amount ? whyNotNumber(item, { max: MAX_AMOUNT }) : 'not_allowed')
        },
        window: checkWindow,
      })
    case 'in_scenario':
      return checkObject(value, { scenarios: checkScenarios })
    case 'scenarios':
      return checkObject(value, {
        value: (item) => checkAmount(item, operator, { max: MAX_COUNT, whole: true }),
        scenarios: checkScenarios,
        reasons: (items) => {
          if (items === null) return []
          return field.choices ? checkList(items, whyNotChoice(field)) : one('not_allowed')
        },
        window: checkWindow,
      })
  }
}

function checkOrdered(value: unknown, operator: Operator): Wrong {
  const measure = isObject(value) ? value['measure'] : undefined
  return checkObject(value, {
    measure: (item) => one(item === 'count' || item === 'amount' || item === 'quantity' ? null : 'not_allowed'),
    value: (item) =>
      checkAmount(item, operator, measure === 'amount' ? { max: MAX_AMOUNT } : { max: MAX_COUNT, whole: true }),
    filter: (item) =>
      checkObject(
        item,
        {},
        Object.fromEntries(
          orderFilterKeys.map((key) => [
            key,
            (list: unknown) => checkList(list, idKeys.includes(key) ? whyNotId : whyNotText),
          ]),
        ),
      ),
    window: checkWindow,
  })
}

function checkWindow(value: unknown): Wrong {
  if (value === null) return []
  if (isObject(value) && 'within_days' in value)
    return checkObject(value, { within_days: (item) => one(whyNotWhole(item, 1, MAX_DAYS_BACK)) })
  const wrong = checkObject(value, { from: (item) => one(whyNotDate(item)), to: (item) => one(whyNotDate(item)) })
  if (wrong.length > 0 || !isObject(value)) return wrong
  return String(value['from']) > String(value['to']) ? one('too_small', '.to') : []
}

function checkAmount(value: unknown, operator: Operator, limits: NumberLimits): Wrong {
  const whyNot = (item: unknown): FieldReason | null => whyNotNumber(item, limits)
  return operator === 'between' ? checkRange(value, whyNot) : one(whyNot(value))
}

const whyNotText = (value: unknown): FieldReason | null => {
  if (typeof value !== 'string') return 'not_a_text'
  // Zero-width characters are not looked at when texts are compared.
  if (value.replace(/[\u200b-\u200d\ufeff]/g, '').trim() === '') return 'required'
  if (value.length > MAX_TEXT) return 'too_long'
  if (hasControlCharacters(value)) return 'control_characters'
  return value.isWellFormed() ? null : 'invalid'
}

const whyNotId = (value: unknown): FieldReason | null =>
  typeof value === 'string' && z.uuid().safeParse(value).success ? null : 'not_an_id'

const isUpper = (value: unknown): boolean => typeof value === 'string' && value !== value.toLowerCase()
/** In one spelling: what conditions use is found by its id in them before it is deleted. */
const whyNotUsedId = (value: unknown): FieldReason | null => (isUpper(value) ? 'not_an_id' : whyNotId(value))
const checkScenarios = (ids: unknown): Wrong => (ids === null ? [] : checkList(ids, whyNotUsedId))

const whyNotChoice =
  ({ choices }: ConditionField) =>
  (value: unknown): FieldReason | null =>
    choices?.some((choice) => choice.value === value) ? null : 'not_allowed'

/** As postal codes are compared: without hyphens and spaces, one width, capitals. */
export const postalKey = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/[\s‐-―ー−-]/g, '')
    .toUpperCase()

const whyNotPostal = (value: unknown): FieldReason | null => {
  if (typeof value !== 'string') return 'not_a_text'
  return /^[0-9A-Z]{1,12}$/.test(postalKey(value)) ? null : 'invalid'
}

interface NumberLimits {
  min?: number
  max?: number
  whole?: boolean
}
function whyNotNumber(
  value: unknown,
  { min = 0, max = Number.MAX_SAFE_INTEGER, whole }: NumberLimits,
): FieldReason | null {
  if (typeof value !== 'number' || !Number.isFinite(value)) return 'not_a_number'
  if (value < min) return 'too_small'
  if (value > max) return 'too_big'
  return whole && !Number.isInteger(value) ? 'not_whole' : null
}

function whyNotWhole(value: unknown, min: number, max: number): FieldReason | null {
  return whyNotNumber(value, { min, max, whole: true })
}

function whyNotDate(value: unknown): FieldReason | null {
  if (typeof value !== 'string' || !z.iso.date().safeParse(value).success) return 'not_a_date'
  const year = Number(value.slice(0, 4))
  if (year < FIRST_YEAR) return 'too_small'
  return year > LAST_YEAR ? 'too_big' : null
}

function checkRange(value: unknown, whyNot: (item: unknown) => FieldReason | null): Wrong {
  if (!Array.isArray(value)) return one('not_a_list')
  const [from, to] = value
  if (from === undefined || to === undefined || value.length !== 2) return one('invalid')
  const wrong = value.flatMap((item, index) => one(whyNot(item), `.${index}`))
  return wrong.length === 0 && from > to ? one('too_small', '.1') : wrong
}

function checkList(value: unknown, whyNot: (item: unknown) => FieldReason | null, max = MAX_LIST): Wrong {
  if (value === null || value === undefined) return one('required')
  if (!Array.isArray(value)) return one('not_a_list')
  if (value.length === 0) return one('required')
  if (value.length > max) return one('too_long')
  return value.flatMap((item, index) => one(whyNot(item), `.${index}`))
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

type Parts = Record<string, (part: unknown) => Wrong>
const MAX_KEY = 50
/** An object of these parts and no others: each of the first must be there (though it may be null), the second may be. */
function checkObject(value: unknown, required: Parts, optional: Parts = {}): Wrong {
  if (!isObject(value)) return one('not_an_object')
  const wrong: Wrong = []
  for (const key of Object.keys(value))
    if (!Object.hasOwn(required, key) && !Object.hasOwn(optional, key))
      wrong.push([`.${key.slice(0, MAX_KEY)}`, 'unknown_field'])
  const look = (key: string, check: (part: unknown) => Wrong): void => {
    for (const [rest, reason] of check(value[key])) wrong.push([`.${key}${rest}`, reason])
  }
  for (const [key, check] of Object.entries(required))
    if (value[key] === undefined) wrong.push([`.${key}`, 'required'])
    else look(key, check)
  for (const [key, check] of Object.entries(optional)) if (value[key] !== undefined) look(key, check)
  return wrong
}

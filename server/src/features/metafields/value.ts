import { isDay } from '@okaeri/contract/metafields/birthday'
import { metafieldText } from '@okaeri/contract/metafields/text'
import { isListType, memberTypeOf, type MetafieldType, type SingleType } from '@okaeri/contract/metafields/value-type'
import { foldText } from '../../kernel/folding.ts'

/** A value in its compared form; an unreadable one has only its text. */
export interface ReadValue {
  /** Decimal digits: a number of the platform may have more than a double can hold. */
  number: string | null
  /** ISO 8601, in UTC. */
  at: string | null
  texts: string[]
  readable: boolean
}

/** The platform's lists have at most 128 members; more than this are not compared. */
const MAX_MEMBERS = 1000
/** Compared characters of a text; the platform's plain texts have at most 65,535. */
const MAX_COMPARED_LENGTH = 65_536

const compared = (text: string): string => foldText(text.slice(0, MAX_COMPARED_LENGTH)).trim()

/** Reads a value by the platform's rules for its type. Never throws: an invalid one is stored as text. */
export function readValue(type: MetafieldType, value: string): ReadValue {
  return (
    (isListType(type) ? readList(memberTypeOf(type), value) : readSingle(type as SingleType, value)) ?? asText(value)
  )
}

const asText = (value: string): ReadValue => ({ number: null, at: null, texts: [compared(value)], readable: false })

function readList(type: SingleType, value: string): ReadValue | null {
  const members = parse(value)
  if (!Array.isArray(members)) return null
  const texts = new Set<string>()
  for (const member of members.slice(0, MAX_MEMBERS)) {
    const text = typeof member === 'string' ? member : JSON.stringify(member)
    if (!readSingle(type, text)) return null
    texts.add(compared(metafieldText(type, text, 'en')))
  }
  return { number: null, at: null, texts: [...texts], readable: true }
}

/** Null: not a value of this type. */
function readSingle(type: SingleType, value: string): ReadValue | null {
  const read = (found: Partial<ReadValue> | null): ReadValue | null =>
    found && { number: null, at: null, texts: [compared(metafieldText(type, value, 'en'))], readable: true, ...found }
  switch (type) {
    case 'number_integer':
      return read(numberOf(value, /^-?\d{1,18}$/))
    case 'number_decimal':
      return read(numberOf(value, DECIMAL))
    case 'boolean':
      return read(value === 'true' ? { number: '1' } : value === 'false' ? { number: '0' } : null)
    case 'date':
      return read(isDayInReach(value) ? { at: `${value}T00:00:00.000Z` } : null)
    case 'date_time':
      return read(instantOf(value))
    case 'money':
      return read(moneyOf(parse(value)))
    case 'rating':
      return read(numberIn(parse(value), 'value'))
    case 'dimension':
    case 'weight':
    case 'volume':
      return read(measureOf(type, parse(value)))
    case 'json':
    case 'link':
    case 'rich_text_field':
      return read(parse(value) === undefined ? null : {})
    default:
      return read(value === '' ? null : {})
  }
}

const DECIMAL = /^-?\d{1,18}(?:\.\d{1,18})?$/
const numberOf = (text: string, form: RegExp): { number: string } | null => (form.test(text) ? { number: text } : null)

/** `undefined` is no JSON. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    // The caller stores it as text.
    return undefined
  }
}

const fieldOf = (object: unknown, name: string): unknown =>
  typeof object === 'object' && object !== null && !Array.isArray(object)
    ? (object as Record<string, unknown>)[name]
    : undefined

/** Numbers in objects may be strings or numbers. */
function numberIn(object: unknown, name: string): { number: string } | null {
  const value = fieldOf(object, name)
  if (typeof value === 'string') return numberOf(value, DECIMAL)
  return typeof value === 'number' && Number.isFinite(value) ? numberOf(plainDecimal(value), DECIMAL) : null
}

/** Without an exponent, which the database accepts but our format does not. */
const plainDecimal = (value: number): string => {
  const text = String(value)
  return text.includes('e') ? value.toFixed(9).replace(/\.?0+$/, '') : text
}

function moneyOf(money: unknown): { number: string } | null {
  const currency = fieldOf(money, 'currency_code')
  return typeof currency === 'string' && /^[A-Z]{3}$/.test(currency) ? numberIn(money, 'amount') : null
}

/** Factors to the units in which values are compared (contract `metafieldUnitOf`): cm, g, ml. */
const units = {
  dimension: { mm: 0.1, cm: 1, m: 100, in: 2.54, ft: 30.48, yd: 91.44 },
  weight: { g: 1, kg: 1000, oz: 28.349523125, lb: 453.59237 },
  volume: {
    ml: 1,
    cl: 10,
    l: 1000,
    m3: 1_000_000,
    us_fl_oz: 29.5735295625,
    us_pt: 473.176473,
    us_qt: 946.352946,
    us_gal: 3785.411784,
    imp_fl_oz: 28.4130625,
    imp_pt: 568.26125,
    imp_qt: 1136.5225,
    imp_gal: 4546.09,
  },
} as const satisfies Record<string, Record<string, number>>
/** The platform's names of units, and their symbols. */
const otherNames: Record<string, string> = {
  millimeters: 'mm',
  centimeters: 'cm',
  meters: 'm',
  inches: 'in',
  feet: 'ft',
  yards: 'yd',
  grams: 'g',
  kilograms: 'kg',
  ounces: 'oz',
  pounds: 'lb',
  milliliters: 'ml',
  centiliters: 'cl',
  liters: 'l',
  cubic_meters: 'm3',
}

function measureOf(type: keyof typeof units, measure: unknown): { number: string } | null {
  const unit = fieldOf(measure, 'unit')
  const amount = numberIn(measure, 'value')
  if (typeof unit !== 'string' || !amount) return null
  const name = unit.toLowerCase().replaceAll(' ', '_')
  const factors: Record<string, number> = units[type]
  const known = otherNames[name] ?? name
  const factor = Object.hasOwn(factors, known) ? factors[known] : undefined
  if (factor === undefined) return null
  const product = Number(amount.number) * factor
  // The factors are not exact beyond about ten digits.
  return numberOf(plainDecimal(Number(product.toFixed(9))), DECIMAL)
}

/** Years the database, the pages and JavaScript all know. */
const FIRST_YEAR = 1
const LAST_YEAR = 9999
function isDayInReach(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && Number(text.slice(0, 4)) >= FIRST_YEAR && isDay(text)
}

/** Without an offset it is UTC, as on the platform. */
function instantOf(text: string): { at: string } | null {
  const form = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(Z|[+-]\d{2}:?\d{2})?$/.exec(text)
  if (!form || !isDayInReach(form[1] ?? '')) return null
  const offset = form[3] === undefined ? 'Z' : form[3].replace(/^([+-]\d{2})(\d{2})$/, '$1:$2')
  const at = new Date(`${form[1]}T${form[2]}${offset}`)
  const year = at.getUTCFullYear()
  return Number.isNaN(at.getTime()) || year < FIRST_YEAR || year > LAST_YEAR ? null : { at: at.toISOString() }
}

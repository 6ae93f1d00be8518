import { z } from 'zod'
import type { FieldReason } from '../../errors.ts'
import { hasControlCharacters } from '../../fields.ts'

// Checks of values from outside, which may be anything.

/** In major units (円); larger numbers lose digits. */
export const MAX_AMOUNT = 1_000_000_000_000
export const MAX_COUNT = 1_000_000

/** Entries of a list. */
export const MAX_LIST = 2000
const MAX_TEXT = 1000
/** Days a relative date can reach back. */
export const MAX_DAYS_BACK = 3650
/** The years of a date; outside them zones have no whole-minute offsets, and no store has customers. */
const FIRST_YEAR = 1900
const LAST_YEAR = 2199

/** Errors by the key after the value's path (`.filter.products.0`). */
export type ValueErrors = [key: string, reason: FieldReason][]
export const one = (reason: FieldReason | null, key = ''): ValueErrors => (reason ? [[key, reason]] : [])

export const whyNotText = (value: unknown): FieldReason | null => {
  if (typeof value !== 'string') return 'not_a_text'
  // Comparisons ignore zero-width characters.
  if (value.replace(/[\u200b-\u200d\ufeff]/g, '').trim() === '') return 'required'
  if (value.length > MAX_TEXT) return 'too_long'
  if (hasControlCharacters(value)) return 'control_characters'
  return value.isWellFormed() ? null : 'invalid'
}

export const whyNotId = (value: unknown): FieldReason | null =>
  typeof value === 'string' && z.uuid().safeParse(value).success ? null : 'not_an_id'

const isUpper = (value: unknown): boolean => typeof value === 'string' && value !== value.toLowerCase()
/** In one spelling only, because uses are found by the id's text before a deletion. */
export const whyNotUsedId = (value: unknown): FieldReason | null => (isUpper(value) ? 'not_an_id' : whyNotId(value))

export const whyNotChoice =
  ({ choices }: { choices?: readonly { value: string }[] }) =>
  (value: unknown): FieldReason | null =>
    choices?.some((choice) => choice.value === value) ? null : 'not_allowed'

export interface NumberLimits {
  min?: number
  max?: number
  whole?: boolean
}
export function whyNotNumber(
  value: unknown,
  { min = 0, max = Number.MAX_SAFE_INTEGER, whole }: NumberLimits,
): FieldReason | null {
  if (typeof value !== 'number' || !Number.isFinite(value)) return 'not_a_number'
  if (value < min) return 'too_small'
  if (value > max) return 'too_big'
  return whole && !Number.isInteger(value) ? 'not_whole' : null
}

export function whyNotWhole(value: unknown, min: number, max: number): FieldReason | null {
  return whyNotNumber(value, { min, max, whole: true })
}

export function whyNotDate(value: unknown): FieldReason | null {
  if (typeof value !== 'string' || !z.iso.date().safeParse(value).success) return 'not_a_date'
  const year = Number(value.slice(0, 4))
  if (year < FIRST_YEAR) return 'too_small'
  return year > LAST_YEAR ? 'too_big' : null
}

export function checkRange(value: unknown, whyNot: (item: unknown) => FieldReason | null): ValueErrors {
  if (!Array.isArray(value)) return one('not_a_list')
  const [from, to] = value
  if (from === undefined || to === undefined || value.length !== 2) return one('invalid')
  const wrong = value.flatMap((item, index) => one(whyNot(item), `.${index}`))
  return wrong.length === 0 && from > to ? one('too_small', '.1') : wrong
}

export function checkList(value: unknown, whyNot: (item: unknown) => FieldReason | null, max = MAX_LIST): ValueErrors {
  if (value === null || value === undefined) return one('required')
  if (!Array.isArray(value)) return one('not_a_list')
  if (value.length === 0) return one('required')
  if (value.length > max) return one('too_long')
  return value.flatMap((item, index) => one(whyNot(item), `.${index}`))
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

type Parts = Record<string, (part: unknown) => ValueErrors>
const MAX_KEY = 50
/** An object with exactly these parts: the required ones must be present (null is allowed), the optional ones may be. */
export function checkObject(value: unknown, required: Parts, optional: Parts = {}): ValueErrors {
  if (!isObject(value)) return one('not_an_object')
  const wrong: ValueErrors = []
  for (const key of Object.keys(value))
    if (!Object.hasOwn(required, key) && !Object.hasOwn(optional, key))
      wrong.push([`.${key.slice(0, MAX_KEY)}`, 'unknown_field'])
  const look = (key: string, check: (part: unknown) => ValueErrors): void => {
    for (const [rest, reason] of check(value[key])) wrong.push([`.${key}${rest}`, reason])
  }
  for (const [key, check] of Object.entries(required))
    if (value[key] === undefined) wrong.push([`.${key}`, 'required'])
    else look(key, check)
  for (const [key, check] of Object.entries(optional)) if (value[key] !== undefined) look(key, check)
  return wrong
}

/** An incomplete value may lack any of its parts. */
export const partsOf = <T extends object>(value: unknown): Partial<T> => (isObject(value) ? (value as Partial<T>) : {})

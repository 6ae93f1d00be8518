/** Shapes of JSON: what is not described is refused, and each refusal names its place as the platform does (`messages[0].text`). */

export interface Problem {
  message: string
  property: string
}
export type Report = (message: string, property: string) => void
export type Shape = (value: unknown, property: string, report: Report) => void
export type Json = Record<string, unknown>
export interface Optional {
  optional: Shape
}
type Fields = Record<string, Shape | Optional>

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** All that is wrong with a value; empty when it is taken. */
export function problemsOf(shape: Shape, value: unknown): Problem[] {
  const problems: Problem[] = []
  shape(value, '', (message, property) => void problems.push({ message, property }))
  return problems
}

export const optional = (shape: Shape): Optional => ({ optional: shape })

const graphemes = new Intl.Segmenter('ja', { granularity: 'grapheme' })
/** As the platform counts: UTF-16 units, and what people take for one character where it says so. */
const lengthOf = (text: string, count: 'units' | 'graphemes'): number =>
  count === 'units' ? text.length : [...graphemes.segment(text)].length

export function text(limits: { min?: number; max?: number; count?: 'units' | 'graphemes'; like?: RegExp } = {}): Shape {
  const { min = 0, max = Number.MAX_SAFE_INTEGER, count = 'units', like } = limits
  return (value, property, report) => {
    if (typeof value !== 'string') return report('must be a string', property)
    const length = lengthOf(value, count)
    if (min > 0 && length === 0) return report('May not be empty', property)
    if (length < min || length > max) return report(`Length must be between ${min} and ${max}`, property)
    if (like && !like.test(value)) report('invalid value', property)
  }
}

export const oneOf = (...values: string[]): Shape => {
  return (value, property, report) => {
    if (typeof value !== 'string' || !values.includes(value))
      report(`Must be one of the following values: [${values.join(', ')}]`, property)
  }
}

export const bool: Shape = (value, property, report) => {
  if (typeof value !== 'boolean') report('must be a boolean', property)
}

export const number: Shape = (value, property, report) => {
  if (typeof value !== 'number') report('must be a number', property)
}

export const integer = (min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER): Shape => {
  return (value, property, report) => {
    if (!Number.isInteger(value)) return report('must be an integer', property)
    const given = value as number
    if (given < min || given > max) report(`must be between ${min} and ${max}`, property)
  }
}

export const list = (item: Shape, min = 0, max = Number.MAX_SAFE_INTEGER): Shape => {
  return (value, property, report) => {
    if (!Array.isArray(value)) return report('must be an array', property)
    if (value.length < min || value.length > max) return report(`Size must be between ${min} and ${max}`, property)
    for (const [index, each] of value.entries()) item(each, `${property}[${index}]`, report)
  }
}

/** A rule over the fields of an object that are each right for themselves. */
export type Rule = (value: Json, property: string, report: Report) => void

export const at = (property: string, name: string): string => (property === '' ? name : `${property}.${name}`)

export function object(fields: Fields, ...rules: Rule[]): Shape {
  return (value, property, report) => {
    if (!isObject(value)) return report('must be an object', property)
    let isWhole = true
    const reportBroken: Report = (message, place) => {
      isWhole = false
      report(message, place)
    }
    for (const [name, field] of Object.entries(fields)) {
      const given = value[name]
      if (given !== undefined)
        (typeof field === 'function' ? field : field.optional)(given, at(property, name), reportBroken)
      else if (typeof field === 'function') reportBroken('May not be empty', at(property, name))
    }
    for (const name of Object.keys(value))
      if (!Object.hasOwn(fields, name)) reportBroken('unknown property', at(property, name))
    if (isWhole) for (const rule of rules) rule(value, property, report)
  }
}

/** A map of any names to values of one shape. */
export const map = (item: Shape): Shape => {
  return (value, property, report) => {
    if (!isObject(value)) return report('must be an object', property)
    for (const [name, each] of Object.entries(value)) item(each, at(property, name), report)
  }
}

/** One of several objects, distinguished by their `type`. */
export const byType = (shapes: Record<string, Shape>): Shape => {
  const names = Object.keys(shapes)
  const type = oneOf(...names)
  return (value, property, report) => {
    if (!isObject(value)) return report('must be an object', property)
    const shape = typeof value['type'] === 'string' && names.includes(value['type']) ? shapes[value['type']] : undefined
    if (shape) shape(value, property, report)
    else type(value['type'], at(property, 'type'), report)
  }
}

/** For a shape that contains itself. */
export const later =
  (shape: () => Shape): Shape =>
  (value, property, report) =>
    shape()(value, property, report)

export const anyOf = (schemes: RegExp, max: number): Shape => {
  return (value, property, report) => {
    if (typeof value !== 'string') return report('must be a string', property)
    if (value.length === 0 || value.length > max) return report(`Length must be between 1 and ${max}`, property)
    if (!schemes.test(value) || !isAddress(value)) report('invalid uri scheme', property)
  }
}
/** Characters that may not stand in an address unescaped (RFC 3986). */
const isAddress = (value: string): boolean => !/[\s<>"{}|\\^`]/.test(value) && URL.canParse(value)

/** Pictures and films are fetched by the platform, over TLS alone. */
export const secureUrl = anyOf(/^https:\/\//, 2000)

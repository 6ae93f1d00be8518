import type { Parameter } from '../../sql.ts'

/** How a search field is looked up. `text` is case-insensitive and takes a trailing `*`. */
export type SearchField =
  | { kind: 'id' | 'time' | 'number'; column: string }
  | { kind: 'text' | 'upper'; column: string }
  | { kind: 'tag'; column: string }
  | { kind: 'null'; column: string }
export type SearchFields = Record<string, SearchField> & { default?: never }

export interface SearchPlan {
  sql: string
  parameters: Parameter[]
  /** Fields the resource does not know; the platform ignores them and warns in `extensions.search`. */
  unknown: string[]
}

/**
 * The platform's search language: `field:value`, comparators, quotes, `-`/`NOT`, `AND` (also implied) and `OR`,
 * brackets. A word without a field is looked for in `words`.
 */
export function planSearch(query: string, fields: Record<string, SearchField>, words: string[]): SearchPlan {
  const tokens = tokenize(query)
  const plan: SearchPlan = { sql: '1', parameters: [], unknown: [] }
  let position = 0

  const either = (): string => {
    const parts = [both()]
    while (tokens[position] === 'OR') {
      position += 1
      parts.push(both())
    }
    return parts.length === 1 ? (parts[0] ?? '1') : `(${parts.join(' OR ')})`
  }
  const both = (): string => {
    const parts: string[] = []
    while (position < tokens.length && tokens[position] !== 'OR' && tokens[position] !== ')') {
      if (tokens[position] === 'AND') position += 1
      else parts.push(one())
    }
    return parts.length === 0 ? '1' : parts.length === 1 ? (parts[0] ?? '1') : `(${parts.join(' AND ')})`
  }
  const one = (): string => {
    const token = tokens[position] ?? ''
    position += 1
    if (token === 'NOT') return `NOT coalesce(${one()}, 0)`
    if (token === '(') {
      const inner = either()
      if (tokens[position] === ')') position += 1
      return inner
    }
    if (token.length > 1 && token.startsWith('-')) return `NOT coalesce(${term(token.slice(1))}, 0)`
    return term(token)
  }
  const term = (token: string): string => {
    const split = /^([A-Za-z_][\w.]*):(.*)$/s.exec(token)
    if (!split) return anyWord(unquote(token))
    const [, name = '', rest = ''] = split
    const field = fields[name]
    if (!field) {
      plan.unknown.push(name)
      return '1'
    }
    const [, comparator = '', raw = ''] = /^(>=|<=|>|<|=)?(.*)$/s.exec(rest) ?? []
    return compare(field, comparator, unquote(raw))
  }
  const anyWord = (word: string): string => {
    if (word === '' || word === '*') return '1'
    const likes = words.map((column) => {
      plan.parameters.push(`%${likeText(word.replace(/\*$/, ''))}%`)
      return `${column} LIKE ? ESCAPE '\\'`
    })
    return likes.length === 0 ? '1' : `(${likes.join(' OR ')})`
  }
  const compare = (field: SearchField, comparator: string, value: string): string => {
    const { column, kind } = field
    if (value === '*') return `${column} IS NOT NULL`
    if (kind === 'null') return value === 'true' ? `${column} IS NOT NULL` : `${column} IS NULL`
    if (kind === 'tag') {
      plan.parameters.push(value)
      return `EXISTS (SELECT 1 FROM json_each(${column}) WHERE value = ? COLLATE NOCASE)`
    }
    if (kind === 'text' || kind === 'upper') {
      const wanted = kind === 'upper' ? value.toUpperCase() : value
      if (wanted.endsWith('*')) {
        plan.parameters.push(`${likeText(wanted.slice(0, -1))}%`)
        return `${column} LIKE ? ESCAPE '\\'`
      }
      plan.parameters.push(wanted)
      return `${column} = ? COLLATE NOCASE`
    }
    if (kind === 'time') return compareTime(column, comparator, value)
    const digits = kind === 'id' ? (/(\d+)$/.exec(value)?.[1] ?? '') : value
    if (digits === '' || !Number.isFinite(Number(digits))) return '0'
    plan.parameters.push(Number(digits))
    return `${column} ${comparator === '' ? '=' : comparator} ?`
  }
  const compareTime = (column: string, comparator: string, value: string): string => {
    const wholeDay = /^\d{4}-\d\d-\d\d$/.test(value)
    const at = Date.parse(wholeDay ? `${value}T00:00:00+09:00` : value)
    if (Number.isNaN(at)) return '0'
    const seconds = Math.floor(at / 1000)
    if (wholeDay && (comparator === '' || comparator === '=')) {
      plan.parameters.push(seconds, seconds + 86_400)
      return `(${column} >= ? AND ${column} < ?)`
    }
    // A whole day counts to its end: later than it, or not later than it.
    const from = wholeDay && (comparator === '>' || comparator === '<=') ? seconds + 86_399 : seconds
    plan.parameters.push(from)
    return `${column} ${comparator === '' ? '=' : comparator} ?`
  }

  plan.sql = either()
  return plan
}

function tokenize(query: string): string[] {
  // A term may hold quotes after its field: `updated_at:>='2026-01-01T00:00:00Z'`.
  return query.match(/\(|\)|(?:[^\s()'"]|'[^']*'|"(?:\\.|[^"\\])*")+|['"]/gs) ?? []
}

function unquote(text: string): string {
  const quoted = /^(['"])(.*)\1$/s.exec(text)
  return (quoted?.[2] ?? text).replaceAll('\\"', '"')
}

function likeText(text: string): string {
  return text.replaceAll(/[\\%_]/g, (sign) => `\\${sign}`)
}

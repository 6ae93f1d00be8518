import { unitSql } from './goods/money.ts'
import type { Parameter } from '../sql.ts'

/**
 * The part of the platform's segment query language that is played: `attribute operator value`, `AND`, `OR`, `NOT` and brackets, as in
 * `number_of_orders > 3 AND customer_tags CONTAINS 'VIP'`. A query becomes one condition over `store_customer`.
 */
export class SegmentQueryError extends Error {}

type Attribute = { kind: 'word' | 'number' | 'date' | 'list'; sql: string }
/** Spent amounts are kept in the smallest unit. */
const ofCustomer = `(SELECT ${unitSql} FROM store WHERE store.id = store_customer.store_id)`
const attributes: Record<string, Attribute> = {
  email_subscription_status: { kind: 'word', sql: 'email_state' },
  sms_subscription_status: { kind: 'word', sql: 'sms_state' },
  number_of_orders: { kind: 'number', sql: 'orders_count' },
  amount_spent: { kind: 'number', sql: `(total_spent / ${ofCustomer})` },
  customer_tags: { kind: 'list', sql: 'tags' },
  customer_countries: {
    kind: 'list',
    sql: `CASE WHEN json_extract(address, '$.countryCode') IS NULL THEN '[]' ELSE json_array(json_extract(address, '$.countryCode')) END`,
  },
  customer_language: { kind: 'word', sql: 'locale' },
  customer_email_domain: { kind: 'word', sql: `substr(email, instr(email, '@') + 1)` },
  customer_added_date: { kind: 'date', sql: 'created_at' },
  last_order_date: {
    kind: 'date',
    sql: '(SELECT o.processed_at FROM store_order o WHERE o.store_id = store_customer.store_id AND o.id = store_customer.last_order_id)',
  },
}

const daySeconds = 86_400
/** The store's zone is Japan's. */
const offsetSeconds = 9 * 3600

export interface SegmentPlan {
  sql: string
  parameters: Parameter[]
}

/** Throws {@link SegmentQueryError} in the platform's manner. `now` in seconds. */
export function planSegment(query: string, now: number): SegmentPlan {
  const tokens = query.match(/'(?:[^'\\]|\\.)*'|[(),]|!=|<=|>=|[=<>]|[^\s(),=<>!']+|\S/g) ?? []
  const parameters: Parameter[] = []
  let at = 0
  const peek = (): string => (tokens[at] ?? '').toUpperCase()
  const take = (): string => {
    const token = tokens[at]
    if (token === undefined) throw new SegmentQueryError('Unexpected end of the query')
    at += 1
    return token
  }
  const expect = (word: string): void => {
    const token = take()
    if (token.toUpperCase() !== word) throw new SegmentQueryError(`Expected ${word}, got '${token}'`)
  }
  const either = (): string => {
    const parts = [both()]
    while (peek() === 'OR') {
      at += 1
      parts.push(both())
    }
    return parts.length === 1 ? (parts[0] ?? '') : `(${parts.join(' OR ')})`
  }
  const both = (): string => {
    const parts = [one()]
    while (peek() === 'AND') {
      at += 1
      parts.push(one())
    }
    return parts.length === 1 ? (parts[0] ?? '') : `(${parts.join(' AND ')})`
  }
  const one = (): string => {
    if (peek() === '(') {
      at += 1
      const inner = either()
      expect(')')
      return inner
    }
    if (peek() === 'NOT') {
      at += 1
      return `NOT coalesce(${one()}, 0)`
    }
    return comparison()
  }
  const comparison = (): string => {
    const name = take()
    const attribute = attributes[name.toLowerCase()]
    if (!attribute) throw new SegmentQueryError(`'${name}' filter cannot be found.`)
    const { kind, sql } = attribute
    const operator = take().toUpperCase()
    if (operator === 'IS') {
      const negated = peek() === 'NOT'
      if (negated) at += 1
      expect('NULL')
      const missing = kind === 'list' ? `json_array_length(${sql}) = 0` : `${sql} IS NULL`
      return negated ? `NOT (${missing})` : missing
    }
    if (operator === 'NOT' || operator === 'CONTAINS') {
      if (operator === 'NOT') expect('CONTAINS')
      if (kind !== 'list') throw new SegmentQueryError(`'${name}' does not support CONTAINS.`)
      parameters.push(word(take()))
      const has = `EXISTS (SELECT 1 FROM json_each(${sql}) WHERE value = ? COLLATE NOCASE)`
      return operator === 'NOT' ? `NOT ${has}` : has
    }
    if (kind === 'list') throw new SegmentQueryError(`'${name}' supports CONTAINS and NOT CONTAINS only.`)
    if (operator === 'BETWEEN') {
      const from = take()
      expect('AND')
      return `(${compare(attribute, '>=', from)} AND ${compare(attribute, '<=', take())})`
    }
    if (operator === 'IN') {
      expect('(')
      const parts: string[] = []
      do parts.push(compare(attribute, '=', take()))
      while (take() === ',')
      if (tokens[at - 1] !== ')') throw new SegmentQueryError('Expected )')
      return `(${parts.join(' OR ')})`
    }
    if (!['=', '!=', '<', '<=', '>', '>='].includes(operator))
      throw new SegmentQueryError(`'${operator}' is not an operator.`)
    return compare(attribute, operator, take())
  }
  const compare = ({ kind, sql }: Attribute, operator: string, token: string): string => {
    if (kind === 'date') return compareDay(sql, operator, dayStart(token, now))
    if (kind === 'number') {
      if (!/^-?\d+(\.\d+)?$/.test(token)) throw new SegmentQueryError(`Expected a number, got ${token}`)
      parameters.push(Number(token))
      return `${sql} ${operator} ?`
    }
    if (operator !== '=' && operator !== '!=') throw new SegmentQueryError(`${operator} cannot compare texts.`)
    parameters.push(word(token))
    return `${sql} ${operator} ? COLLATE NOCASE`
  }
  const compareDay = (sql: string, operator: string, start: number): string => {
    const end = start + daySeconds
    if (operator === '=' || operator === '!=') {
      parameters.push(start, end)
      return `${operator === '=' ? '' : 'NOT '}(${sql} >= ? AND ${sql} < ?)`
    }
    parameters.push(operator === '>' || operator === '<=' ? end : start)
    return `${sql} ${operator.startsWith('<') ? '<' : '>='} ?`
  }

  const sql = either()
  if (at < tokens.length) throw new SegmentQueryError(`Unexpected '${tokens[at] ?? ''}'`)
  return { sql, parameters }
}

function word(token: string): string {
  if (!/^'.*'$/s.test(token)) throw new SegmentQueryError(`Expected a text in single quotes, got ${token}`)
  return token.slice(1, -1).replace(/\\(.)/g, '$1')
}

/** First second of a day: `2026-01-31`, or so long ago: `-30d`, `-4w`, `-6m`, `-1y`. */
function dayStart(token: string, now: number): number {
  const today = Math.floor((now + offsetSeconds) / daySeconds) * daySeconds - offsetSeconds
  if (token.toLowerCase() === 'today') return today
  const ago = /^-(\d{1,4})([dwmy])$/i.exec(token)
  if (ago) {
    const days = { d: 1, w: 7, m: 30, y: 365 }[(ago[2] ?? 'd').toLowerCase() as 'd' | 'w' | 'm' | 'y']
    return today - Number(ago[1]) * days * daySeconds
  }
  const at = /^\d{4}-\d\d-\d\d$/.test(token) ? Date.parse(`${token}T00:00:00+09:00`) : Number.NaN
  if (Number.isNaN(at)) throw new SegmentQueryError(`Expected a date, got ${token}`)
  return at / 1000
}

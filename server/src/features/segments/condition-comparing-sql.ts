import { currencyDigits } from '@okaeri/contract/money'
import { type Leaf, type Operator, postalKey } from '@okaeri/contract/segments/condition'
import { type RawBuilder, sql } from 'kysely'
import { addDays, localDay, startOfDay } from './local-day.ts'

// How one value of a customer is compared, as SQL. An expression may be null where nothing is stored: that counts as no.

export type Sql = RawBuilder<boolean>
type Text = RawBuilder<string | null>
type Value = Leaf['value']
/** The calendar and the money a comparison is read in. */
export interface Reading {
  timezone: string
  currency: string
  now: Date
}

/** Null is no, so its opposite is yes. */
export const not = (condition: Sql): Sql => sql<boolean>`(${condition}) is not true`
export const anyOf = (conditions: readonly Sql[]): Sql => sql<boolean>`(${sql.join(conditions, sql` or `)})`
export const unknownOperator = (operator: string): Error => new Error(`no comparison ${operator}`)

/**
 * Whether a customer is among those a second question finds. `is true` keeps the planner from making it a join: the second question
 * is answered once into a hash, in any nesting, and also right after a sync, when tables have no statistics yet and joins over
 * `merchant_id` are planned as if a merchant had one row.
 */
export const among = (column: RawBuilder<unknown>, found: RawBuilder<unknown>): Sql =>
  sql<boolean>`(${column} in (${found})) is true`

const listOf = (value: Value): string[] => (Array.isArray(value) ? value.map(String) : [])

/** No tag and no text that can be asked for holds it. */
const SEPARATOR_TEXT = '\u001f'
const SEPARATOR = sql.lit(SEPARATOR_TEXT)
const ZERO_WIDTH = '\u200b\u200c\u200d\ufeff'
const KATAKANA_TO_HIRAGANA = 0x60

/**
 * How texts are compared with some wanted ones: compatibility forms unified (`ＡＢＣ` is `abc`, `ｶﾅ` is `カナ`), without case, katakana
 * as hiragana, without zero-width characters; as the search of customers does (kernel/folding.ts). Folding a million names wholly
 * takes half a minute, so only what can make a difference to the wanted texts is folded: their own kana, and case where they have
 * any. Lower case is made by the database on both sides, so that it is the same one.
 */
function foldingFor(texts: readonly string[]) {
  const wanted = texts.map(foldedInPart)
  const all = wanted.join('')
  const isCased = all.toLowerCase() !== all.toUpperCase() || /\p{M}/u.test(all)
  const hiragana = [...new Set(all.match(/[ぁ-ゖ]/g))].join('')
  const katakana = hiragana.replace(/./g, (kana) => String.fromCharCode(kana.charCodeAt(0) + KATAKANA_TO_HIRAGANA))
  const lower = (text: RawBuilder<unknown>): Text => (isCased ? sql`lower(${text})` : sql`${text}`)
  return {
    wanted,
    /** Those that fold to what is wanted just as they were typed. */
    asTyped: texts.filter((text, index) => text !== '' && untrimmed(text) === wanted[index]),
    column(column: Text): Text {
      const unified = sql`case when ${column} is nfkc normalized then ${column} else normalize(${column}, nfkc) end`
      return sql`case when octet_length(${column}) = length(${column}) then ${lower(column)} else
        translate(${lower(unified)}, ${sql.lit(katakana + ZERO_WIDTH)}, ${sql.lit(hiragana)}) end`
    },
    value: (text: string): Text => lower(sql`${text}::text`),
    /** All that is wanted, as an array the planner knows (array_to_string it would not work out beforehand), so that it makes a hash. */
    values(): RawBuilder<string[]> {
      if (!isCased) return sql`${wanted}::text[]`
      return sql`string_to_array(lower(${wanted.join(SEPARATOR_TEXT)}::text), ${SEPARATOR})`
    },
  }
}
type Folding = ReturnType<typeof foldingFor>

/** All but the case. */
const foldedInPart = (text: string): string => untrimmed(text).trim()
const untrimmed = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/[\u200b-\u200d\ufeff]/g, '')
    .replace(/[ァ-ヶ]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) - KATAKANA_TO_HIRAGANA))

const escapeLike = (text: string): string => text.replace(/[\\%_]/g, '\\$&')

export function text(columns: readonly Text[], operator: Operator, value: Value): Sql {
  const folding = foldingFor(Array.isArray(value) ? listOf(value) : [typeof value === 'string' ? value : ''])
  const [wanted = ''] = folding.wanted
  const each = (holds: (folded: Text) => Sql): Sql => anyOf(columns.map((column) => holds(folding.column(column))))
  const like = (before: string, after: string): Sql => {
    const pattern = folding.value(`${before}${escapeLike(wanted)}${after}`)
    return each((folded) => sql`${folded} like ${pattern}`)
  }
  const isSet = (): Sql => anyOf(columns.map((column) => sql<boolean>`${column} <> ''`))
  switch (operator) {
    case 'equals':
      return each((folded) => sql`${folded} = ${folding.value(wanted)}`)
    case 'not_equals':
      return not(text(columns, 'equals', value))
    case 'contains':
      return like('%', '%')
    case 'not_contains':
      return not(like('%', '%'))
    case 'starts_with':
      return like('', '%')
    case 'ends_with':
      return like('%', '')
    case 'is_one_of':
      return each((folded) => sql`${folded} = any(${folding.values()})`)
    case 'is_none_of':
      return not(text(columns, 'is_one_of', value))
    case 'is_set':
      return isSet()
    case 'is_not_set':
      return not(isSet())
    default:
      throw unknownOperator(operator)
  }
}

/** Up to here texts are looked for in all the tags of a person at once; more are looked up tag by tag in a hash. */
const FEW_TEXTS = 8

/** Most have a tag just as it was typed: that is seen sooner than it is folded. */
export function hasAnyText(column: RawBuilder<string[]>, texts: readonly string[]): Sql {
  const folding = foldingFor(texts)
  if (texts.length <= FEW_TEXTS)
    return sql`(${column} <> '{}' and (${column} && ${folding.asTyped}::text[] or ${foldedList(folding, column)} && ${folding.values()}))`
  return sql`(${column} <> '{}' and exists (
    select from unnest(${column}) as tag where ${isOneOf(folding, sql`tag`)}))`
}
const isOneOf = (folding: Folding, tag: Text): Sql => sql`${folding.column(tag)} = any(${folding.values()})`

/**
 * Customers with any of many tags, as a question of its own: what is asked of each customer's tags in turn no second process can share.
 * Null where they are few. `rows`: of `customers t`.
 */
export function havingAnyTag(operator: Operator, value: Value, rows: RawBuilder<unknown>): Sql | null {
  const texts = listOf(value)
  if ((operator !== 'has' && operator !== 'has_not') || texts.length <= FEW_TEXTS) return null
  const found = among(
    sql`c.id`,
    sql`select t.id from customers t cross join lateral unnest(t.tags) as tag
      where ${rows} and t.tags <> '{}' and ${isOneOf(foldingFor(texts), sql`tag`)}`,
  )
  return operator === 'has_not' ? not(found) : found
}

const foldedList = (folding: Folding, column: RawBuilder<string[]>): RawBuilder<string[]> =>
  sql`string_to_array(${folding.column(sql`array_to_string(${column}, ${SEPARATOR})`)}, ${SEPARATOR})`

export function tags(column: RawBuilder<string[]>, operator: Operator, value: Value): Sql {
  switch (operator) {
    case 'has':
      return hasAnyText(column, listOf(value))
    case 'has_all': {
      const folding = foldingFor(listOf(value))
      return sql`(${column} <> '{}' and ${foldedList(folding, column)} @> ${folding.values()})`
    }
    case 'has_not':
      return not(hasAnyText(column, listOf(value)))
    case 'is_set':
      return sql`${column} <> '{}'`
    case 'is_not_set':
      return not(sql`${column} <> '{}'`)
    default:
      throw unknownOperator(operator)
  }
}

export function choice(column: Text, operator: Operator, value: Value): Sql {
  switch (operator) {
    case 'is_one_of':
      return sql`${column} = any(${listOf(value)}::text[])`
    case 'is_none_of':
      return not(choice(column, 'is_one_of', value))
    case 'is_set':
      return sql`${column} is not null`
    case 'is_not_set':
      return sql`${column} is null`
    default:
      throw unknownOperator(operator)
  }
}

/** Beginnings of one length are looked up together. */
export function postalCode(column: Text, operator: Operator, value: Value): Sql {
  if (operator === 'is_set') return sql`${column} <> ''`
  if (operator === 'is_not_set') return not(postalCode(column, 'is_set', value))
  if (operator === 'starts_with_none') return not(postalCode(column, 'starts_with_any', value))
  if (operator !== 'starts_with_any') throw unknownOperator(operator)
  // As `postalKey`: hyphens and dashes, spaces, width, case.
  const key = sql`upper(translate(case when octet_length(${column}) = length(${column}) then ${column}
    else normalize(${column}, nfkc) end, ${sql.lit(' -\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u30fc\u3000')}, ''))`
  const prefixes = Map.groupBy(new Set(listOf(value).map(postalKey)), (prefix) => prefix.length)
  return anyOf(
    [...prefixes].map(([length, some]) => sql<boolean>`left(${key}, ${sql.lit(length)}) = any(${some}::text[])`),
  )
}

export const minorUnit = ({ currency }: Pick<Reading, 'currency'>): number => 10 ** currencyDigits(currency)

/**
 * What is written in major units as minor ones. A whole number stays one: decimals are slow to compare. `times`: what it is multiplied by
 * is no more than this, and so is not more than a bigint holds.
 */
export function inUnits(amount: unknown, unit: number, times = 1): RawBuilder<number> {
  const product = Number(amount) * unit
  return Number.isSafeInteger(product * times) && Number.isSafeInteger(product)
    ? sql`${product}::bigint`
    : sql`${amount}::numeric * ${sql.lit(unit)}`
}
/** PostgreSQL's int, as `orders_count` is one. */
const MOST_ORDERS = 2 ** 31

/** `per`: the column is the sum over so many. */
export function number(
  column: RawBuilder<number>,
  operator: Operator,
  value: Value,
  { unit, per }: { unit: number; per?: RawBuilder<number> },
): Sql {
  const [first, second] = Array.isArray(value) ? value : [value]
  const bound = (amount: unknown): RawBuilder<number> =>
    per ? sql`${inUnits(amount, unit, MOST_ORDERS)} * ${per}` : inUnits(amount, unit)
  switch (operator) {
    case 'equals':
      return sql`${column} = ${bound(first)}`
    case 'not_equals':
      return not(number(column, 'equals', value, per ? { unit, per } : { unit }))
    case 'greater':
      return sql`${column} > ${bound(first)}`
    case 'greater_or_equal':
      return sql`${column} >= ${bound(first)}`
    case 'less':
      return sql`${column} < ${bound(first)}`
    case 'less_or_equal':
      return sql`${column} <= ${bound(first)}`
    case 'between':
      return sql`${column} between ${bound(first)} and ${bound(second)}`
    case 'is_set':
      return sql`${column} is not null`
    case 'is_not_set':
      return sql`${column} is null`
    default:
      throw unknownOperator(operator)
  }
}

export const flag = (condition: Sql, value: Value): Sql => (value === true ? condition : not(condition))

/** Days are the merchant's: "on" a day is from its first instant to the next day's; relative days count from today's date. */
export function instant(column: RawBuilder<Date | null>, operator: Operator, value: Value, reading: Reading): Sql {
  const [first, second] = (Array.isArray(value) ? value : [value, value]).map(String)
  const start = (day = ''): Date => startOfDay(day, reading.timezone)
  const end = (day = ''): Date => start(addDays(day, 1))
  switch (operator) {
    case 'before':
      return sql`${column} < ${start(first)}`
    case 'after':
      return sql`${column} >= ${end(first)}`
    case 'on':
    case 'between':
      return sql`(${column} >= ${start(first)} and ${column} < ${end(second)})`
    case 'within_last_days':
      return sql`(${column} >= ${startOfDaysAgo(Number(value), reading)} and ${column} <= ${reading.now})`
    case 'more_than_days_ago':
      return sql`${column} < ${startOfDaysAgo(Number(value), reading)}`
    case 'is_set':
      return sql`${column} is not null`
    case 'is_not_set':
      return sql`${column} is null`
    default:
      throw unknownOperator(operator)
  }
}

/** A day that stands for itself, kept as its first instant in UTC: today is the merchant's, the zone is not looked at otherwise. */
export const wholeDay = (column: RawBuilder<Date | null>, operator: Operator, value: Value, reading: Reading): Sql =>
  instant(column, operator, value, { ...reading, timezone: 'UTC', now: new Date(`${localToday(reading)}T00:00:00Z`) })

export const localToday = ({ now, timezone }: Reading): string => localDay(now, timezone)
export const startOfDaysAgo = (days: number, reading: Reading): Date =>
  startOfDay(addDays(localToday(reading), -days), reading.timezone)

/** The year of a birthday is never looked at: many are known without it (year 1004). */
export function birthday(operator: Operator, value: Value, reading: Reading): Sql {
  switch (operator) {
    case 'month_is':
      return sql`extract(month from c.birthday) = ${Number(value)}`
    case 'day_of_month_is':
      return sql`extract(day from c.birthday) = ${Number(value)}`
    case 'is_today':
      return celebrated(0, reading)
    case 'within_next_days':
      return celebrated(Number(value), reading)
    case 'is_set':
      return sql`c.birthday is not null`
    case 'is_not_set':
      return sql`c.birthday is null`
    default:
      throw unknownOperator(operator)
  }
}

/** Birthdays as month × 100 + day: a number is compared faster than a text is made. */
const celebrated = (days: number, reading: Reading): Sql =>
  sql`(extract(month from c.birthday) * 100 + extract(day from c.birthday))::int = any(${celebratedWithin(days, reading)}::int[])`

/** Which birthdays are celebrated from today to so many days ahead: 29 February on the 28th where a year has none. */
function celebratedWithin(days: number, reading: Reading): number[] {
  const today = localToday(reading)
  const found = new Set<number>()
  for (let ahead = 0; ahead <= days; ahead++) {
    const day = addDays(today, ahead)
    found.add(Number(day.slice(5, 7)) * 100 + Number(day.slice(8)))
    if (day.endsWith('-02-28') && addDays(day, 1).endsWith('-03-01')) found.add(229)
  }
  return [...found]
}

import {
  type Condition,
  type FieldName,
  findField,
  isOperatorOf,
  type Leaf,
  type Operator,
} from '@okaeri/contract/segments/condition'
import { currencyDigits } from '@okaeri/contract/money'
import { type RawBuilder, sql } from 'kysely'
import { addDays, localDay, startOfDay } from './local-day.ts'

/** What a condition is read against: whose customers, which calendar, what money, and which instant is now. */
export interface ConditionContext {
  merchantId: string
  /** IANA name. */
  timezone: string
  /** ISO 4217. */
  currency: string
  now: Date
}

type Sql = RawBuilder<boolean>
/** Chooses no one. */
export const nobody: Sql = sql<boolean>`false`

type Text = RawBuilder<string | null>
type Instant = RawBuilder<Date | null>

/**
 * A condition as one SQL expression over `c`, a row of `customers`; every value in it is a parameter. It never asks about another
 * merchant, but it is the caller who fixes `c.merchant_id`.
 *
 * Where nothing is stored: a missing text is an empty one, so `not_equals` and `not_contains` match it and `equals` does not;
 * people without tags match `has_not`; a missing date or birthday matches only `is_not_set` (who never ordered did not order
 * "more than 30 days ago"). Null counts as no.
 *
 * Takes conditions that `checkCondition` found nothing wrong with; throws for any other.
 */
export function compileCondition(condition: Condition, context: ConditionContext): Sql {
  if (condition.type === 'condition') return compileLeaf(condition, context)
  if (condition.children.length === 0) throw new Error('a group of conditions is empty')
  const parts = condition.children.map((child) => compileCondition(child, context))
  return sql<boolean>`(${sql.join(parts, condition.operator === 'and' ? sql` and ` : sql` or `)})`
}

function compileLeaf(leaf: Leaf, context: ConditionContext): Sql {
  const field = findField(leaf)
  if (!field || !isOperatorOf(field.type, leaf.operator))
    throw new Error(`no condition ${leaf.category}.${leaf.name} ${leaf.operator}`)
  return compileField(field.name as FieldName, leaf.operator, leaf.value, context)
}

function compileField(name: FieldName, operator: Operator, value: Leaf['value'], context: ConditionContext): Sql {
  switch (name) {
    case 'email':
      return text([sql`c.email`], operator, value)
    case 'display_name':
      return text([sql`c.display_name`], operator, value)
    case 'first_name':
      return text([sql`c.first_name`], operator, value)
    case 'last_name':
      return text([sql`c.last_name`], operator, value)
    case 'phone':
      return text([sql`c.phone`], operator, value)
    case 'last_address':
      return text([sql`c.last_address`], operator, value)
    case 'id':
      // Ours, or the store's number.
      return text([sql`c.id::text`, sql`c.store_customer_id::text`], operator, value)
    case 'tags':
      return tags(operator, value)
    case 'birthday':
      return birthday(operator, value, context)
    case 'created_at':
      return instant(sql`c.created_at`, operator, value, context)
    case 'last_order_at':
      return instant(sql`c.last_order_at`, operator, value, context)
    case 'marketing_changed_at':
      return instant(sql`c.marketing_changed_at`, operator, value, context)
    case 'orders_count':
      return number(sql`c.orders_count`, operator, value, 1)
    case 'orders_amount':
      // People write 円; the column holds minor units.
      return number(sql`c.orders_amount`, operator, value, 10 ** currencyDigits(context.currency))
    case 'product_bought':
      return product(operator, value, context)
    case 'accepts_marketing':
      return flag(sql`c.marketing_state = 'granted'`, value)
    case 'accepts_transactions':
      return flag(sql`c.notification_state = 'granted'`, value)
    case 'suppressed':
      return flag(isSuppressed(context), value)
    case 'marketing_state': {
      const states = sql<boolean>`c.marketing_state = any(${value}::text[])`
      return operator === 'is_none_of' ? not(states) : states
    }
    default:
      throw new Error(`no field ${name}`)
  }
}

const not = (condition: Sql): Sql => sql<boolean>`not ${condition}`
const anyOf = (conditions: readonly Sql[]): Sql => sql<boolean>`(${sql.join(conditions, sql` or `)})`
const unknownOperator = (operator: Operator): Error => new Error(`no comparison ${operator}`)

/** Texts are compared without case and with compatibility forms unified: `ＡＢＣ` is `abc`. Lower case is made by the database on
 * both sides, so that it is the same one. */
const folded = (column: Text): Text => sql`lower(normalize(coalesce(${column}, ''), nfkc))`
const foldedValue = (value: string): Text => sql`lower(${value.normalize('NFKC').trim()})`
const escapeLike = (text: string): string => text.replace(/[\\%_]/g, '\\$&')

function text(columns: readonly Text[], operator: Operator, value: Leaf['value']): Sql {
  const given = (typeof value === 'string' ? value : '').normalize('NFKC').trim()
  const equals = (): Sql => anyOf(columns.map((column) => sql<boolean>`${folded(column)} = lower(${given})`))
  const like = (before: string, after: string): Sql => {
    const pattern = `${before}${escapeLike(given)}${after}`
    return anyOf(columns.map((column) => sql<boolean>`${folded(column)} like lower(${pattern})`))
  }
  const isSet = (): Sql => anyOf(columns.map((column) => sql<boolean>`coalesce(${column}, '') <> ''`))
  switch (operator) {
    case 'equals':
      return equals()
    case 'not_equals':
      return not(equals())
    case 'contains':
      return like('%', '%')
    case 'not_contains':
      return not(like('%', '%'))
    case 'starts_with':
      return like('', '%')
    case 'ends_with':
      return like('%', '')
    case 'is_set':
      return isSet()
    case 'is_not_set':
      return not(isSet())
    default:
      throw unknownOperator(operator)
  }
}

function number(column: RawBuilder<number>, operator: Operator, value: Leaf['value'], unit: number): Sql {
  const [first, second] = Array.isArray(value) ? value : [value]
  const bound = (amount: unknown): RawBuilder<number> => sql`${amount}::numeric * ${sql.lit(unit)}`
  switch (operator) {
    case 'equals':
      return sql`${column} = ${bound(first)}`
    case 'not_equals':
      return sql`${column} <> ${bound(first)}`
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
    default:
      throw unknownOperator(operator)
  }
}

const flag = (condition: Sql, value: Leaf['value']): Sql => (value === true ? condition : not(condition))

const isSuppressed = ({ merchantId }: ConditionContext): Sql =>
  among(
    sql`c.email_key`,
    sql`select s.address_key from suppressions s
      where s.merchant_id = ${merchantId} and s.channel = 'email' and s.lifted_at is null`,
  )

/**
 * Whether a customer is among those a second question finds. `is true` keeps the planner from making it a join: the second question
 * is answered once into a hash, in any nesting, and also right after a sync, when tables have no statistics yet and joins over
 * `merchant_id` are planned as if a merchant had one row.
 */
const among = (column: Text, found: RawBuilder<unknown>): Sql => sql<boolean>`(${column} in (${found})) is true`

/** Days are the merchant's: "on" a day is from its first instant to the next day's; relative days count from today's date. */
function instant(column: Instant, operator: Operator, value: Leaf['value'], context: ConditionContext): Sql {
  const [first, second] = (Array.isArray(value) ? value : [value, value]).map(String)
  const start = (day = ''): Date => startOfDay(day, context.timezone)
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
      return sql`(${column} >= ${startOfDaysAgo(Number(value), context)} and ${column} <= ${context.now})`
    case 'more_than_days_ago':
      return sql`${column} < ${startOfDaysAgo(Number(value), context)}`
    case 'is_set':
      return sql`${column} is not null`
    case 'is_not_set':
      return sql`${column} is null`
    default:
      throw unknownOperator(operator)
  }
}

const startOfDaysAgo = (days: number, { now, timezone }: ConditionContext): Date =>
  startOfDay(addDays(localDay(now, timezone), -days), timezone)

function tags(operator: Operator, value: Leaf['value']): Sql {
  switch (operator) {
    case 'has':
    case 'has_not': {
      const wanted = (Array.isArray(value) ? value : []).map((tag) => foldedValue(String(tag)))
      const has = sql<boolean>`exists (select from unnest(c.tags) as tag where ${folded(sql`tag`)} in (${sql.join(wanted)}))`
      return operator === 'has' ? has : not(has)
    }
    case 'is_set':
      return sql`c.tags <> '{}'`
    case 'is_not_set':
      return sql`c.tags = '{}'`
    default:
      throw unknownOperator(operator)
  }
}

/** The year of a birthday is never looked at: many are known without it (year 1004). */
function birthday(operator: Operator, value: Leaf['value'], context: ConditionContext): Sql {
  switch (operator) {
    case 'month_is':
      return sql`extract(month from c.birthday) = ${Number(value)}`
    case 'within_next_days':
      return sql`to_char(c.birthday, 'MM-DD') = any(${celebratedWithin(Number(value), context)}::text[])`
    case 'is_set':
      return sql`c.birthday is not null`
    case 'is_not_set':
      return sql`c.birthday is null`
    default:
      throw unknownOperator(operator)
  }
}

/** Which birthdays (`MM-DD`) are celebrated from today to so many days ahead: 29 February on the 28th where a year has none. */
function celebratedWithin(days: number, { now, timezone }: ConditionContext): string[] {
  const today = localDay(now, timezone)
  const found = new Set<string>()
  for (let ahead = 0; ahead <= days; ahead++) {
    const day = addDays(today, ahead)
    found.add(day.slice(5))
    if (day.endsWith('-02-28') && addDays(day, 1).endsWith('-03-01')) found.add('02-29')
  }
  return [...found]
}

/** Any of the products, in an order that was not cancelled. */
function product(operator: Operator, value: Leaf['value'], context: ConditionContext): Sql {
  if (typeof value !== 'object' || value === null || !('ids' in value)) throw unknownOperator(operator)
  const { merchantId, now } = context
  const since =
    value.within_days === null
      ? sql``
      : sql`and l.processed_at >= ${startOfDaysAgo(value.within_days, context)} and l.processed_at <= ${now}`
  const bought = among(
    sql`c.id`,
    sql`select distinct l.customer_id from order_lines l
      where l.merchant_id = ${merchantId} ${since}
        and l.store_product_id = any(array(
          select p.store_product_id from products p where p.merchant_id = ${merchantId} and p.id = any(${value.ids}::uuid[])))
        and (select o.cancelled_at is null from orders o where o.merchant_id = ${merchantId} and o.id = l.order_id)`,
  )
  return operator === 'not_bought' ? not(bought) : bought
}

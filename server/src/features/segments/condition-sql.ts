import {
  type Condition,
  type ConditionCategory,
  type ConditionField,
  type FieldName,
  findField,
  type InScenarioValue,
  isOperatorOf,
  type Leaf,
  type MailsValue,
  type Operator,
  type OrderedValue,
  type ProductsValue,
  type ScenariosValue,
  type ThingsValue,
} from '@okaeri/contract/segments/condition'
import { METAFIELDS } from '@okaeri/contract/segments/condition-fields'
import { type RawBuilder, sql } from 'kysely'
import { foldText } from '../../kernel/folding.ts'
import {
  among,
  anyOf,
  birthday,
  choice,
  flag,
  havingAnyTag,
  instant,
  localToday,
  minorUnit,
  not,
  number,
  postalCode,
  type Sql,
  tags,
  text,
  wholeDay,
} from './condition-comparing-sql.ts'
import {
  type ActivityContext,
  compileFound,
  compileMeasured,
  mailsFound,
  ordersFound,
  scenariosFound,
  itemsFound,
} from './condition-activity-sql.ts'

/** What a condition is read against: whose customers, which calendar, what money, and which instant is now. */
export interface ConditionContext {
  merchantId: string
  /** IANA name. */
  timezone: string
  /** ISO 4217. */
  currency: string
  now: Date
  /** What can be asked, the merchant's metafields included. */
  categories: readonly ConditionCategory[]
  /** The port: executions belong to a higher floor. */
  scenariosFound: ActivityContext['scenariosFound']
  /** Every segment that is named, directly or by one that is named; ids in lower case. */
  segments: ReadonlyMap<string, NamedSegment>
  /**
   * Whoever asks about a few customers only says so, and orders and mails of others are not looked through. For everyone else the
   * answer is undefined.
   */
  only?: readonly string[]
}
export interface NamedSegment {
  name: string
  origin: 'own' | 'remote'
  /** Null for remote segments: who is in them is kept in segment_members. */
  conditions: Condition | null
}

/** Chooses no one. */
export const nobody: Sql = sql<boolean>`false`

/**
 * A condition as one SQL expression over `c`, a row of `customers`; every value in it is a parameter. It never asks about another
 * merchant, but it is the caller who fixes `c.merchant_id`. It may be null, which counts as no.
 *
 * Where nothing is stored: a missing text is an empty one, so `not_equals`, `not_contains`, `is_none_of` match it and `equals` does
 * not; whoever has no tags, no score, no metafield, no number matches what is said with "not". A missing date or birthday matches only
 * `is_not_set` (who never ordered did not order "more than 30 days ago").
 *
 * Takes conditions that `checkCondition` found nothing wrong with; throws for any other.
 */
export function compileCondition(condition: Condition, context: ConditionContext): Sql {
  if (condition.type === 'condition') return compileLeaf(condition, context)
  if (condition.children.length === 0) throw new Error('a group of conditions is empty')
  // What is soon answered first, since it may settle the matter.
  const parts = condition.children
    .toSorted((one, other) => effortOf(one) - effortOf(other))
    .map((child) => compileCondition(child, context))
  if (condition.operator === 'and') return sql<boolean>`(${sql.join(parts, sql` and `)})`
  return condition.operator === 'or' ? anyOf(parts) : not(anyOf(parts))
}

/** Comparisons whose texts are folded, or taken out of the address. */
const textFields = new Set<string>([
  'email',
  'display_name',
  'first_name',
  'last_name',
  'phone',
  'last_address',
  'city',
  'country',
  'postal_code',
  'id',
  'tags',
] satisfies FieldName[])
/** Those a column of the customer answers. */
const columnFields = new Set<string>([
  'created_at',
  'first_order_at',
  'last_order_at',
  'marketing_changed_at',
  'notification_changed_at',
  'last_sent_at',
  'last_opened_at',
  'last_clicked_at',
  'orders_count',
  'orders_amount',
  'average_amount',
  'accepts_marketing',
  'accepts_transactions',
  'line_connected',
  'marketing_state',
  'notification_state',
  'prefecture',
] satisfies FieldName[])

function effortOf(condition: Condition): number {
  if (condition.type === 'group') return Math.max(...condition.children.map(effortOf))
  if (condition.category !== METAFIELDS && textFields.has(condition.name)) return 2
  return condition.category !== METAFIELDS && columnFields.has(condition.name) ? 0 : 1
}

export function compileLeaf(leaf: Leaf, context: ConditionContext): Sql {
  const { field, operator } = fieldOf(leaf, context)
  if (leaf.category === METAFIELDS) return compileMetafield(field, operator, leaf.value, context)
  return compileField(field.name as FieldName, operator, leaf.value, context)
}

/** The field and operator of a comparison that was found usable. */
export function fieldOf(
  leaf: Leaf,
  { categories }: Pick<ConditionContext, 'categories'>,
): { field: ConditionField; operator: Operator } {
  const field = findField(leaf, categories)
  if (!field || !isOperatorOf(field.type, leaf.operator))
    throw new Error(`no condition ${leaf.category}.${leaf.name} ${leaf.operator}`)
  return { field, operator: leaf.operator }
}

function compileField(name: FieldName, operator: Operator, value: Leaf['value'], context: ConditionContext): Sql {
  switch (name) {
    case 'email':
    case 'display_name':
    case 'first_name':
    case 'last_name':
    case 'phone':
    case 'last_address':
      return text([sql.ref(`c.${name}`)], operator, value)
    case 'city':
    case 'country':
      return text([sql`c.address ->> ${sql.lit(name)}`], operator, value)
    case 'postal_code':
      return postalCode(sql`c.address ->> 'zip'`, operator, value)
    case 'id':
      // Ours, or the store's number.
      return text([sql`c.id::text`, sql`c.store_customer_id::text`], operator, value)
    case 'tags':
      return (
        havingAnyTag(operator, value, sql`t.merchant_id = ${context.merchantId} ${onlyThese(sql`t.id`, context)}`) ??
        tags(sql`c.tags`, operator, value)
      )
    case 'birthday':
      return birthday(operator, value, context)
    case 'created_at':
    case 'first_order_at':
    case 'last_order_at':
    case 'marketing_changed_at':
    case 'notification_changed_at':
    case 'last_sent_at':
    case 'last_opened_at':
    case 'last_clicked_at':
      return instant(sql.ref(`c.${name}`), operator, value, context)
    case 'orders_count':
      return number(sql`c.orders_count`, operator, value, { unit: 1 })
    case 'orders_amount':
      // People write 円; the column holds minor units.
      return number(sql`c.orders_amount`, operator, value, { unit: minorUnit(context) })
    case 'average_amount':
      return average(operator, value, context)
    case 'accepts_marketing':
      return flag(sql`c.marketing_state = 'granted'`, value)
    case 'accepts_transactions':
      return flag(sql`c.notification_state = 'granted'`, value)
    case 'line_connected':
      return flag(sql`c.line_connected_at is not null`, value)
    case 'suppressed':
      return flag(isSuppressed(context), value)
    case 'marketing_state':
    case 'notification_state':
      return choice(sql.ref(`c.${name}`), operator, value)
    case 'prefecture':
      return choice(sql`c.province_code`, operator, value)
    case 'ordered':
      return compileMeasured(ordersFound(value as OrderedValue, context), operator, (value as OrderedValue).value)
    case 'product_bought': {
      const bought = compileFound(ordersFound(orderedOf(value as ProductsValue), context))
      return operator === 'not_bought' ? not(bought) : bought
    }
    case 'emails_received':
    case 'emails_opened':
    case 'emails_clicked':
      return compileMeasured(mailsFound(name, value as MailsValue, context), operator, (value as MailsValue).value)
    case 'checkout_unfinished':
    case 'checkout_completed':
    case 'cart_unfinished':
    case 'cart_completed':
    case 'favorite':
    case 'restock_waiting':
    case 'restock_notified': {
      const found = compileFound(itemsFound(name, value as ThingsValue, context))
      return operator === 'has_not' ? not(found) : found
    }
    case 'scenario_now': {
      const found = compileFound(scenariosFound(name, value as InScenarioValue, context))
      return operator === 'has_not' ? not(found) : found
    }
    case 'scenario_entered':
    case 'scenario_ended': {
      const asked = value as ScenariosValue
      return compileMeasured(scenariosFound(name, asked, context), operator, asked.value)
    }
    case 'rfm_class':
      return scored(operator, (positive) => choice(sql`s.rfm_class`, positive, value), context)
    case 'rfm_recency':
    case 'rfm_frequency':
    case 'rfm_monetary': {
      const column = sql.ref<number>(`s.${name.slice('rfm_'.length)}`)
      return scored(operator, (positive) => number(column, positive, value, { unit: 1 }), context)
    }
    case 'days_to_next_order': {
      const column = sql<number>`(s.next_order_on - ${localToday(context)}::date)`
      return scored(operator, (positive) => number(column, positive, value, { unit: 1 }), context)
    }
    case 'member': {
      const inAny = anyOf((value as string[]).map((id) => compileSegment(id.toLowerCase(), context)))
      return operator === 'is_not_member' ? not(inAny) : inAny
    }
  }
}

function average(operator: Operator, value: Leaf['value'], context: ConditionContext): Sql {
  const ordered = sql<boolean>`c.orders_count > 0`
  if (operator === 'is_set') return ordered
  if (operator === 'is_not_set') return not(ordered)
  if (operator === 'not_equals') return not(average('equals', value, context))
  // The sum beside so many times the bound: dividing a million sums takes longer.
  const compared = number(sql`c.orders_amount`, operator, value, {
    unit: minorUnit(context),
    per: sql`c.orders_count`,
  })
  return sql`(${ordered} and ${compared})`
}

/** "Bought any of these" in the words of what was ordered. */
export const orderedOf = ({ ids, within_days }: ProductsValue): OrderedValue => ({
  measure: 'count',
  value: 1,
  filter: { products: ids },
  window: within_days === null ? null : { within_days },
})

export const isSuppressed = ({ merchantId }: ConditionContext): Sql =>
  among(
    sql`c.email_key`,
    sql`select s.address_key from suppressions s
      where s.merchant_id = ${merchantId} and s.channel = 'email' and s.lifted_at is null`,
  )

const opposites: Partial<Record<Operator, Operator>> = {
  not_equals: 'equals',
  not_contains: 'contains',
  is_none_of: 'is_one_of',
  has_not: 'has',
  is_not_set: 'is_set',
}
/** What is kept in rows of their own: "not" holds for whoever has none, so it is said of the customers with such a row. */
function ofRows(operator: Operator, rows: (positive: Operator) => RawBuilder<unknown>): Sql {
  const positive = opposites[operator]
  const found = among(sql`c.id`, rows(positive ?? operator))
  return positive ? not(found) : found
}

const onlyThese = (column: RawBuilder<string>, { only }: ConditionContext): RawBuilder<unknown> =>
  only ? sql`and ${column} = any(${[...only]}::uuid[])` : sql``

const scored = (operator: Operator, compared: (positive: Operator) => Sql, context: ConditionContext): Sql =>
  ofRows(
    operator,
    (positive) => sql`select s.customer_id from customer_scores s
      where s.merchant_id = ${context.merchantId} ${onlyThese(sql`s.customer_id`, context)} and ${compared(positive)}`,
  )

function compileMetafield(
  field: ConditionField,
  operator: Operator,
  value: Leaf['value'],
  context: ConditionContext,
): Sql {
  return ofRows(
    operator,
    (positive) => sql`select m.customer_id from customer_metafields m
      where m.merchant_id = ${context.merchantId} and m.metafield_setting_id = ${field.name}
        ${onlyThese(sql`m.customer_id`, context)} and ${metafieldHolds(field, positive, value, context)}`,
  )
}

/** Texts were folded as they were stored, lists member by member. */
function metafieldHolds(
  field: ConditionField,
  operator: Operator,
  value: Leaf['value'],
  context: ConditionContext,
): Sql {
  switch (field.type) {
    case 'number':
      return number(sql`m.value_number`, operator, value, { unit: 1 })
    case 'boolean':
      return operator === 'is_set' ? sql`m.value_number is not null` : sql`m.value_number = ${value === true ? 1 : 0}`
    case 'date':
      return (field.whole_days ? wholeDay : instant)(sql`m.value_at`, operator, value, context)
    case 'tags':
      return storedTexts(operator, value)
    default:
      return text([sql`m.value_texts[1]`], operator, value)
  }
}

function storedTexts(operator: Operator, value: Leaf['value']): Sql {
  if (operator === 'is_set') return sql`m.value_texts <> '{}'`
  const wanted = (value as string[]).map((each) => foldText(each).trim())
  return operator === 'has_all'
    ? sql`m.value_texts @> ${wanted}::text[]`
    : sql`exists (select from unnest(m.value_texts) as each where each = any(${wanted}::text[]))`
}

export function compileSegment(id: string, context: ConditionContext): Sql {
  const segment = context.segments.get(id)
  if (!segment) throw new Error(`no segment ${id}`)
  if (segment.conditions) return compileCondition(segment.conditions, context)
  return among(
    sql`c.id`,
    sql`select m.customer_id from segment_members m
      where m.merchant_id = ${context.merchantId} and m.segment_id = ${id} ${onlyThese(sql`m.customer_id`, context)}`,
  )
}

import type { ReadValue } from '@okaeri/contract/segments/condition-routes'
import {
  type ConditionField,
  type FieldName,
  type InScenarioValue,
  type Leaf,
  type MailsValue,
  type OrderedValue,
  type ProductsValue,
  type ThingsValue,
} from '@okaeri/contract/segments/condition'
import { METAFIELDS } from '@okaeri/contract/segments/condition-fields'
import { type RawBuilder, sql } from 'kysely'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { type Found, mailsFound, ordersFound, scenariosFound, itemsFound } from './condition-activity-sql.ts'
import { localToday } from './condition-comparing-sql.ts'
import {
  type ConditionContext,
  compileLeaf,
  compileSegment,
  fieldOf,
  isSuppressed,
  orderedOf,
} from './condition-sql.ts'

export interface Comparison {
  holds: boolean
  value: ReadValue
}

/** Every comparison asked of some customers, with what it was read from, in one statement. Who is not there is missing. */
export async function askOfCustomers(
  scope: MerchantScope,
  customerIds: readonly string[],
  leaves: readonly Leaf[],
  context: ConditionContext,
): Promise<Map<string, Comparison[]>> {
  const asked = { ...context, only: customerIds }
  const findings: Findings = []
  const values = leaves.map((leaf) => readLeaf(leaf, asked, findings))
  const foundBefore = findings.length > 0 ? sql`with ${sql.join(findings.map(({ query }) => query))}` : sql``
  const { rows } = await sql<{ id: string; holds: boolean[]; values: ReadValue[] }>`
    ${foundBefore}
    select c.id, array[${sql.join(leaves.map((leaf) => sql`(${compileLeaf(leaf, asked)}) is true`))}]::boolean[] as holds,
      array[${sql.join(values)}]::jsonb[] as values
    from customers c ${sql.join(
      findings.map(({ join }) => join),
      sql` `,
    )}
    where c.merchant_id = ${scope.merchantId} and c.id = any(${[...customerIds]}::uuid[])`.execute(scope.db)
  return new Map(
    rows.map(({ id, holds, values }) => [
      id,
      leaves.map((_, index) => ({ holds: holds[index] ?? false, value: values[index] ?? { kind: 'none' } })),
    ]),
  )
}

export async function isMember(scope: MerchantScope, segmentId: string, customerId: string): Promise<boolean> {
  const { rows } = await sql`
    select from segment_members where merchant_id = ${scope.merchantId} and segment_id = ${segmentId}
      and customer_id = ${customerId}`.execute(scope.db)
  return rows.length > 0
}

type Json = RawBuilder<ReadValue>
const none = sql`jsonb_build_object('kind', 'none')`
const orNone = (missing: RawBuilder<unknown>, value: RawBuilder<unknown>): Json =>
  sql`case when ${missing} then ${none} else ${value} end`

const text = (column: RawBuilder<unknown>): Json =>
  orNone(sql`coalesce(${column}, '') = ''`, sql`jsonb_build_object('kind', 'text', 'text', ${column})`)
const number = (column: RawBuilder<unknown>): Json =>
  orNone(sql`${column} is null`, sql`jsonb_build_object('kind', 'number', 'number', ${column})`)
const money = (column: RawBuilder<unknown>, { currency }: ConditionContext): Json =>
  orNone(
    sql`${column} is null`,
    sql`jsonb_build_object('kind', 'money', 'amount', ${column}, 'currency', ${currency}::text)`,
  )
const boolean = (condition: RawBuilder<unknown>): Json =>
  sql`jsonb_build_object('kind', 'boolean', 'boolean', (${condition}) is true)`
const choice = (column: RawBuilder<unknown>): Json =>
  orNone(sql`${column} is null`, sql`jsonb_build_object('kind', 'choice', 'choice', ${column})`)
const iso = (column: RawBuilder<unknown>): RawBuilder<string> =>
  sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
const instant = (column: RawBuilder<unknown>): Json =>
  orNone(sql`${column} is null`, sql`jsonb_build_object('kind', 'instant', 'at', ${iso(column)})`)
const day = (column: RawBuilder<unknown>): Json =>
  orNone(sql`${column} is null`, sql`jsonb_build_object('kind', 'day', 'day', to_char(${column}, 'YYYY-MM-DD'))`)
/** As many as a page shows of a list. */
const SHOWN = 20
const texts = (column: RawBuilder<unknown>): Json =>
  sql`jsonb_build_object('kind', 'texts', 'texts', (${column})[1:${sql.lit(SHOWN)}], 'count', cardinality(${column}))`

/** What is found of all who are asked about, before it is told by customer. */
type Findings = { query: RawBuilder<unknown>; join: RawBuilder<unknown> }[]

/**
 * What is this customer's of what was found, in the unit people write: major ones where it is money. Found once for all of them: one by one,
 * the planner reads everybody's again for each while it knows little of how much there is.
 */
function found({ rows, customer, measure, at, unit }: Found, findings: Findings): Json {
  const name = sql.ref(`found_${findings.length}`)
  findings.push({
    query: sql`${name} as materialized (
      select ${customer} as customer_id, coalesce(${measure}, 0)::numeric / ${sql.lit(unit)} as number, max(${at}) as last_at
      ${rows} group by ${customer})`,
    join: sql`left join ${name} on ${name}.customer_id = c.id`,
  })
  return sql`jsonb_build_object('kind', 'found', 'number', coalesce(${name}.number, 0), 'last_at', ${iso(sql`${name}.last_at`)})`
}

const ofRow = (json: RawBuilder<unknown>, row: RawBuilder<unknown>): Json =>
  sql`coalesce((select ${json} ${row}), ${none})`

function readLeaf(leaf: Leaf, context: ConditionContext, findings: Findings): Json {
  const { field } = fieldOf(leaf, context)
  if (leaf.category === METAFIELDS) return readMetafield(field, context)
  const name = field.name as FieldName
  const { value } = leaf
  switch (name) {
    case 'email':
    case 'display_name':
    case 'first_name':
    case 'last_name':
    case 'phone':
    case 'last_address':
      return text(sql.ref(`c.${name}`))
    case 'city':
    case 'country':
      return text(sql`c.address ->> ${sql.lit(name)}`)
    case 'postal_code':
      return text(sql`c.address ->> 'zip'`)
    case 'id':
      return texts(sql`array_remove(array[c.id::text, c.store_customer_id::text], null)`)
    case 'tags':
      return texts(sql`c.tags`)
    case 'birthday':
      return day(sql`c.birthday`)
    case 'created_at':
    case 'first_order_at':
    case 'last_order_at':
    case 'marketing_changed_at':
    case 'notification_changed_at':
    case 'last_sent_at':
    case 'last_opened_at':
    case 'last_clicked_at':
      return instant(sql.ref(`c.${name}`))
    case 'orders_count':
      return number(sql`c.orders_count`)
    case 'orders_amount':
      return money(sql`c.orders_amount`, context)
    case 'average_amount':
      return money(sql`round(c.orders_amount::numeric / nullif(c.orders_count, 0))`, context)
    case 'accepts_marketing':
      return boolean(sql`c.marketing_state = 'granted'`)
    case 'accepts_transactions':
      return boolean(sql`c.notification_state = 'granted'`)
    case 'line_connected':
      return boolean(sql`c.line_connected_at is not null`)
    case 'suppressed':
      return boolean(isSuppressed(context))
    case 'marketing_state':
    case 'notification_state':
      return choice(sql.ref(`c.${name}`))
    case 'prefecture':
      return choice(sql`c.province_code`)
    case 'ordered':
      return found(ordersFound(value as OrderedValue, context), findings)
    case 'product_bought':
      return found(ordersFound(orderedOf(value as ProductsValue), context), findings)
    case 'emails_received':
    case 'emails_opened':
    case 'emails_clicked':
      return found(mailsFound(name, value as MailsValue, context), findings)
    case 'checkout_unfinished':
    case 'checkout_completed':
    case 'cart_unfinished':
    case 'cart_completed':
    case 'favorite':
    case 'restock_waiting':
    case 'restock_notified':
      return found(itemsFound(name, value as ThingsValue, context), findings)
    case 'scenario_now':
    case 'scenario_entered':
    case 'scenario_ended':
      return found(scenariosFound(name, value as InScenarioValue, context), findings)
    case 'rfm_class':
      return ofScores(choice(sql`s.rfm_class`), context)
    case 'rfm_recency':
    case 'rfm_frequency':
    case 'rfm_monetary':
      return ofScores(number(sql.ref(`s.${name.slice('rfm_'.length)}`)), context)
    case 'days_to_next_order':
      return ofScores(number(sql`(s.next_order_on - ${localToday(context)}::date)`), context)
    case 'member': {
      const names = (value as string[]).map((id) => id.toLowerCase())
      const those = names.map(
        (id) => sql`case when ${compileSegment(id, context)} then ${context.segments.get(id)?.name ?? id}::text end`,
      )
      return texts(sql`array_remove(array[${sql.join(those)}], null)`)
    }
  }
}

const ofScores = (json: Json, { merchantId }: ConditionContext): Json =>
  ofRow(json, sql`from customer_scores s where s.merchant_id = ${merchantId} and s.customer_id = c.id`)

function readMetafield(field: ConditionField, { merchantId }: ConditionContext): Json {
  const json = {
    number: () => number(sql`m.value_number`),
    boolean: () => orNone(sql`m.value_number is null`, boolean(sql`m.value_number = 1`)),
    date: () => (field.whole_days ? day(sql`(m.value_at at time zone 'UTC')`) : instant(sql`m.value_at`)),
    tags: () => texts(sql`m.value_texts`),
  }
  const read = field.type in json ? json[field.type as keyof typeof json]() : text(sql`m.value`)
  return ofRow(
    read,
    sql`from customer_metafields m
      where m.merchant_id = ${merchantId} and m.metafield_setting_id = ${field.name} and m.customer_id = c.id`,
  )
}

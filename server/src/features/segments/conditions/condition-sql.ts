import {
  type Condition,
  type ConditionField,
  findField,
  isOperatorOf,
  type Leaf,
} from '@okaeri/contract/segments/condition'
import { METAFIELDS } from '@okaeri/contract/segments/condition-fields'
import { sql } from 'kysely'
import { among, anyOf, not, hasMatchingRow, andOnlyAsked, type Sql } from '../condition-types/comparison-sql.ts'
import type { CheckedComparison, ConditionContext, FieldSql, MetafieldSql } from '../condition-types/field-sql.ts'
import { conditionTypeSqlOf } from '../condition-types/index.ts'
import { type JoinedReads, type Json, readRow } from '../condition-types/read-value-sql.ts'

/** True for no customer. */
export const matchesNone: Sql = sql<boolean>`false`

/**
 * A condition as one SQL expression over `c`, a row of `customers`; every value in it is a parameter. It reads no other merchant's rows, but
 * the caller has to fix `c.merchant_id`. It may be null, which counts as no.
 *
 * Missing values: a missing text is an empty one, so `not_equals`, `not_contains`, `is_none_of` match it and `equals` does not. Customers
 * without tags, score, metafield or number match conditions with "not". A missing date or birthday matches only `is_not_set` (a customer
 * who never ordered did not order "more than 30 days ago").
 *
 * Takes only conditions that passed `checkCondition`; throws for any other.
 */
export function compileCondition(condition: Condition, context: ConditionContext): Sql {
  if (condition.type === 'condition') return compileLeaf(condition, context)
  if (condition.children.length === 0) throw new Error('a group of conditions is empty')
  // The cheapest first, because they may decide.
  const parts = condition.children
    .toSorted((one, other) => effortOf(one) - effortOf(other))
    .map((child) => compileCondition(child, context))
  if (condition.operator === 'and') return sql<boolean>`(${sql.join(parts, sql` and `)})`
  return condition.operator === 'or' ? anyOf(parts) : not(anyOf(parts))
}

function effortOf(condition: Condition): number {
  if (condition.type === 'group') return Math.max(...condition.children.map(effortOf))
  const field = findField(condition)
  return field ? fieldSqlOf(field).effort : 1
}

export function compileLeaf(leaf: Leaf, context: ConditionContext): Sql {
  const comparison = checkedComparison(leaf, context)
  if (leaf.category !== METAFIELDS) return fieldSqlOf(comparison.field).compile(comparison)
  return hasMatchingRow(
    comparison.operator,
    (positive) => sql`select m.customer_id from customer_metafields m
      where m.merchant_id = ${context.merchantId} and m.metafield_setting_id = ${comparison.field.name}
        ${andOnlyAsked(sql`m.customer_id`, context)} and ${metafieldSqlOf(comparison.field).compile({ ...comparison, operator: positive })}`,
  )
}

/** The value the comparison looks at. */
export function readLeaf(leaf: Leaf, context: ConditionContext, joined: JoinedReads): Json {
  const comparison = checkedComparison(leaf, context)
  if (leaf.category !== METAFIELDS) return fieldSqlOf(comparison.field).read(comparison, joined)
  return readRow(
    metafieldSqlOf(comparison.field).read(comparison),
    sql`from customer_metafields m
      where m.merchant_id = ${context.merchantId} and m.metafield_setting_id = ${comparison.field.name} and m.customer_id = c.id`,
  )
}

/** Throws for a comparison that `checkCondition` would refuse. */
function checkedComparison(leaf: Leaf, context: ConditionContext): CheckedComparison {
  const field = findField(leaf, context.categories)
  if (!field || !isOperatorOf(field.type, leaf.operator))
    throw new Error(`no condition ${leaf.category}.${leaf.name} ${leaf.operator}`)
  return { field, operator: leaf.operator, value: leaf.value, context, isMember: (id) => compileSegment(id, context) }
}

function fieldSqlOf({ type, name }: ConditionField): FieldSql {
  const field = conditionTypeSqlOf(type).fields[name]
  if (!field) throw new Error(`no field ${name}`)
  return field
}
function metafieldSqlOf({ type }: ConditionField): MetafieldSql {
  const { metafield } = conditionTypeSqlOf(type)
  if (!metafield) throw new Error(`no metafields of ${type}`)
  return metafield
}

function compileSegment(id: string, context: ConditionContext): Sql {
  const segment = context.segments.get(id)
  if (!segment) throw new Error(`no segment ${id}`)
  if (segment.conditions) return compileCondition(segment.conditions, context)
  return among(
    sql`c.id`,
    sql`select m.customer_id from segment_members m
      where m.merchant_id = ${context.merchantId} and m.segment_id = ${id} ${andOnlyAsked(sql`m.customer_id`, context)}`,
  )
}

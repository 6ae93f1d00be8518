import type { Operator } from '@okaeri/contract/segments/condition'
import { sql } from 'kysely'
import { hasMatchingRow, andOnlyAsked, type Sql } from './comparison-sql.ts'
import type { ConditionContext } from './field-sql.ts'
import { type Json, readRow } from './read-value-sql.ts'

// Columns of `customer_scores s`.

export const hasMatchingScore = (
  operator: Operator,
  compared: (positive: Operator) => Sql,
  context: ConditionContext,
): Sql =>
  hasMatchingRow(
    operator,
    (positive) => sql`select s.customer_id from customer_scores s
      where s.merchant_id = ${context.merchantId} ${andOnlyAsked(sql`s.customer_id`, context)} and ${compared(positive)}`,
  )

export const readScore = (json: Json, { merchantId }: ConditionContext): Json =>
  readRow(json, sql`from customer_scores s where s.merchant_id = ${merchantId} and s.customer_id = c.id`)

import type { Operator } from '@okaeri/contract/segments/condition'
import { sql } from 'kysely'
import { ofRows, andOnlyAsked, type Sql } from './comparing-sql.ts'
import type { ConditionContext } from './field-sql.ts'
import { type Json, ofRow } from './reading-sql.ts'

// Columns of `customer_scores s`.

export const scored = (operator: Operator, compared: (positive: Operator) => Sql, context: ConditionContext): Sql =>
  ofRows(
    operator,
    (positive) => sql`select s.customer_id from customer_scores s
      where s.merchant_id = ${context.merchantId} ${andOnlyAsked(sql`s.customer_id`, context)} and ${compared(positive)}`,
  )

export const readScore = (json: Json, { merchantId }: ConditionContext): Json =>
  ofRow(json, sql`from customer_scores s where s.merchant_id = ${merchantId} and s.customer_id = c.id`)

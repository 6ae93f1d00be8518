import { type RawBuilder, sql } from 'kysely'
import { among, not, type Sql, type Value } from './comparison-sql.ts'
import type { ConditionContext, ConditionTypeSql, FieldSql } from './field-sql.ts'
import { type Json, orNone } from './read-value-sql.ts'

const compare = (condition: Sql, value: Value): Sql => (value === true ? condition : not(condition))

const isSuppressed = ({ merchantId }: ConditionContext): Sql =>
  among(
    sql`c.email_key`,
    sql`select s.address_key from suppressions s
      where s.merchant_id = ${merchantId} and s.channel = 'email' and s.lifted_at is null`,
  )

const hasBlockedLine = ({ merchantId }: ConditionContext): Sql =>
  among(
    sql`c.id`,
    sql`select f.customer_id from line_friends f
      where f.merchant_id = ${merchantId} and f.blocked_at is not null and f.customer_id is not null`,
  )

const readBoolean = (condition: RawBuilder<unknown>): Json =>
  sql`jsonb_build_object('kind', 'boolean', 'boolean', (${condition}) is true)`

const field = (effort: FieldSql['effort'], holds: (context: ConditionContext) => Sql): FieldSql => ({
  effort,
  compile: ({ value, context }) => compare(holds(context), value),
  read: ({ context }) => readBoolean(holds(context)),
})
const column = (holds: Sql): FieldSql => field(0, () => holds)

export const boolean: ConditionTypeSql<'boolean'> = {
  fields: {
    accepts_marketing: column(sql`c.marketing_state = 'granted'`),
    accepts_transactions: column(sql`c.notification_state = 'granted'`),
    line_connected: column(sql`c.line_connected_at is not null`),
    line_blocked: field(1, hasBlockedLine),
    suppressed: field(1, isSuppressed),
  },
  metafield: {
    compile: ({ operator, value }) =>
      operator === 'is_set' ? sql`m.value_number is not null` : sql`m.value_number = ${value === true ? 1 : 0}`,
    read: () => orNone(sql`m.value_number is null`, readBoolean(sql`m.value_number = 1`)),
  },
}

import { type RawBuilder, sql } from 'kysely'
import { among, not, type Sql, type Value } from './comparing-sql.ts'
import type { ConditionContext, ConditionTypeSql, FieldSql } from './field-sql.ts'
import { type Json, orNone } from './reading-sql.ts'

const compare = (condition: Sql, value: Value): Sql => (value === true ? condition : not(condition))

const isSuppressed = ({ merchantId }: ConditionContext): Sql =>
  among(
    sql`c.email_key`,
    sql`select s.address_key from suppressions s
      where s.merchant_id = ${merchantId} and s.channel = 'email' and s.lifted_at is null`,
  )

const readBoolean = (condition: RawBuilder<unknown>): Json =>
  sql`jsonb_build_object('kind', 'boolean', 'boolean', (${condition}) is true)`

const column = (holds: Sql): FieldSql => ({
  effort: 0,
  compile: ({ value }) => compare(holds, value),
  read: () => readBoolean(holds),
})

export const boolean: ConditionTypeSql<'boolean'> = {
  fields: {
    accepts_marketing: column(sql`c.marketing_state = 'granted'`),
    accepts_transactions: column(sql`c.notification_state = 'granted'`),
    line_connected: column(sql`c.line_connected_at is not null`),
    suppressed: {
      effort: 1,
      compile: ({ value, context }) => compare(isSuppressed(context), value),
      read: ({ context }) => readBoolean(isSuppressed(context)),
    },
  },
  metafield: {
    compile: ({ operator, value }) =>
      operator === 'is_set' ? sql`m.value_number is not null` : sql`m.value_number = ${value === true ? 1 : 0}`,
    read: () => orNone(sql`m.value_number is null`, readBoolean(sql`m.value_number = 1`)),
  },
}

import { type RawBuilder, sql } from 'kysely'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import type { PastEvent, DayEventKey } from './trigger-kind.ts'

/** A time as rehearsals count it. */
export const ms = (column: RawBuilder<unknown>): RawBuilder<number> =>
  sql<number>`(extract(epoch from ${column}) * 1000)::float8`

/** The customers `c` of a source without the event. */
export async function selectUnrecorded(
  scope: MerchantScope,
  { key, day, limit }: DayEventKey,
  source: RawBuilder<unknown>,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select c.id from ${source} and not exists (
      select from events e where e.merchant_id = ${scope.merchantId} and e.key = ${key}::text || ':' || c.id || ':' || ${day}::text)
    order by c.id limit ${limit}`.execute(scope.db)
  return rows.map(({ id }) => id)
}

/** `source` is a query of `id`, the customer, and `at`. */
export async function selectPastOf(scope: MerchantScope, source: RawBuilder<unknown>): Promise<PastEvent[]> {
  const { rows } = await sql<PastEvent>`
    select p.id as "customerId", ${ms(sql`p.at`)} as at from (${source}) p order by p.at, p.id`.execute(scope.db)
  return rows
}

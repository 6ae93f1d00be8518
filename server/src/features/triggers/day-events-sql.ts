import { type RawBuilder, sql } from 'kysely'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { addDays } from '../segments/index.ts'
import type { PastEvent, DayEventKey } from './trigger-kind.ts'

/** A time as rehearsals count it. */
export const ms = (column: RawBuilder<unknown>): RawBuilder<number> =>
  sql<number>`(extract(epoch from ${column}) * 1000)::float8`

/** One moment lies on days as far from each other, as zones say. */
const DAYS_APART = [-2, -1, 1, 2]

/**
 * The customers `c` of a source without the event. `momentSince`: their day is that of a moment, which is known since then. Where the zone
 * was changed meanwhile, what was recorded about that same moment stands under another day.
 */
export async function selectUnrecorded(
  scope: MerchantScope,
  { key, day, limit }: DayEventKey,
  source: RawBuilder<unknown>,
  momentSince: RawBuilder<unknown> | null = null,
): Promise<string[]> {
  const recorded = (days: readonly string[]) => sql`select from events e where e.merchant_id = ${scope.merchantId}
    and e.key in (${sql.join(days.map((one) => sql`${key}::text || ':' || c.id || ':' || ${one}::text`))})`
  const { rows } = await sql<{ id: string }>`
    select c.id from ${source} and not exists (${recorded([day])})
    ${momentSince === null ? sql`` : sql`and not exists (${recorded(DAYS_APART.map((days) => addDays(day, days)))} and e.occurred_at > ${momentSince})`}
    order by c.id limit ${limit}`.execute(scope.db)
  return rows.map(({ id }) => id)
}

/** `source` is a query of `id`, the customer, and `at`. */
export async function selectPastOf(scope: MerchantScope, source: RawBuilder<unknown>): Promise<PastEvent[]> {
  const { rows } = await sql<PastEvent>`
    select p.id as "customerId", ${ms(sql`p.at`)} as at from (${source}) p order by p.at, p.id`.execute(scope.db)
  return rows
}

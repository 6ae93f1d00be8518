import { sql } from 'kysely'
import type { MerchantScope, TransactionScope } from '../../../kernel/merchant-scope.ts'

/** How many mails a minute a receiving operator takes of the merchant by one route, while that is fewer than there are. */
export interface PaceRow {
  receiver: string
  per_minute: number
  slowed_in_a_row: number
  held_until: Date
  next_at: Date
  waiting: number
  sent_since: number
  changed_at: Date
  slowed_at: Date
  since: Date
  answer: string
}
const columns = [
  'receiver',
  'per_minute',
  'slowed_in_a_row',
  'held_until',
  'next_at',
  'waiting',
  'sent_since',
  'changed_at',
  'slowed_at',
  'since',
  'answer',
] as const

/** Kept from other workers until the transaction ends. */
export const lockPaces = (scope: TransactionScope, route: string, receivers: readonly string[]): Promise<PaceRow[]> =>
  scope.db
    .selectFrom('receiver_paces')
    .select(columns)
    .where('merchant_id', '=', scope.merchantId)
    .where('route', '=', route)
    .where('receiver', 'in', [...receivers])
    .orderBy('receiver')
    .forUpdate()
    .execute()

/** Asked once for a time slice, so that it costs nothing for a merchant whom no receiver slows down. */
export async function hasPaces(scope: MerchantScope, route: string): Promise<boolean> {
  const { rows } = await sql<{ has: boolean }>`
    select exists (select from receiver_paces where merchant_id = ${scope.merchantId} and route = ${route}) as has`.execute(
    scope.db,
  )
  return rows[0]?.has ?? false
}

export async function writePace(scope: TransactionScope, route: string, pace: PaceRow): Promise<void> {
  await scope.db
    .insertInto('receiver_paces')
    .values({ merchant_id: scope.merchantId, route, ...pace })
    .onConflict((conflict) => conflict.columns(['merchant_id', 'route', 'receiver']).doUpdateSet(pace))
    .execute()
}

export async function deletePace(scope: TransactionScope, route: string, receiver: string): Promise<void> {
  await scope.db
    .deleteFrom('receiver_paces')
    .where('merchant_id', '=', scope.merchantId)
    .where('route', '=', route)
    .where('receiver', '=', receiver)
    .execute()
}

/** By all routes, the slowest first. */
export const listPaces = (scope: MerchantScope, { since }: { since: Date }): Promise<(PaceRow & { route: string })[]> =>
  scope.db
    .selectFrom('receiver_paces')
    .select([...columns, 'route'])
    .where('merchant_id', '=', scope.merchantId)
    .where('slowed_at', '>', since)
    .orderBy('per_minute')
    .orderBy('receiver')
    .limit(100)
    .execute()

/** What is so old that it no longer counts (pace.ts), with room for clocks that differ. */
export async function deleteForgotten(scope: TransactionScope, now: Date): Promise<void> {
  await sql`delete from receiver_paces
    where merchant_id = ${scope.merchantId} and slowed_at < ${now}::timestamptz - interval '7 days'`.execute(scope.db)
}

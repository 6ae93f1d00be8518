import type { CanaryResult } from '@okaeri/contract/campaigns/canary'
import { sql } from 'kysely'
import type { MerchantScope } from '../../../kernel/merchant-scope.ts'
import { resultOfRows } from '../../deliveries/index.ts'

/** So many of the last ones that left are looked at: enough to tell, and the same work however large the campaign is. */
const LAST_ONES = 20_000

/** What came of the last ones of a message that left, in the order in which they do; null where none is left to be held back. */
export async function resultOfLastOnes(scope: MerchantScope, messageId: string): Promise<CanaryResult | null> {
  const { merchantId } = scope
  const pending = sql`from deliveries where merchant_id = ${merchantId} and message_id = ${messageId} and status = 'pending'`
  const { rows } = await sql<{ is_left: boolean; next_id: string | null }>`
    select exists (select ${pending}) as is_left, (select id ${pending} and next_attempt_at is null order by id limit 1) as next_id`.execute(
    scope.db,
  )
  const { is_left = false, next_id = null } = rows[0] ?? {}
  if (!is_left) return null
  return resultOfRows(
    scope,
    sql`select * from deliveries where merchant_id = ${merchantId} and message_id = ${messageId}
      and (${next_id}::uuid is null or id < ${next_id}::uuid) order by id desc limit ${LAST_ONES}`,
  )
}

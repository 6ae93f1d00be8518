import type { CanaryResult } from '@okaeri/contract/campaigns/canary'
import { sql } from 'kysely'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { resultOfRows } from './canary-queries.ts'

/** So many of the last ones that left are looked at: enough to tell, and the same work however large the campaign is. */
const LAST_ONES = 20_000

/**
 * What came of the last ones of a message that left, in the order in which they do; null where none is left to be held back. What is to be
 * tried again is not.
 */
export async function resultOfLastOnes(scope: MerchantScope, messageId: string): Promise<CanaryResult | null> {
  const { merchantId } = scope
  const { rows } = await sql<{ id: string }>`
    select id from deliveries where merchant_id = ${merchantId} and message_id = ${messageId} and status = 'pending'
      and next_attempt_at is null order by id limit 1`.execute(scope.db)
  const next = rows[0]
  if (!next) return null
  return resultOfRows(
    scope,
    sql`select * from deliveries where merchant_id = ${merchantId} and message_id = ${messageId} and id < ${next.id}
      order by id desc limit ${LAST_ONES}`,
  )
}

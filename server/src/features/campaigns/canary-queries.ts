import type { CanaryResult } from '@okaeri/contract/campaigns/canary'
import { type RawBuilder, sql } from 'kysely'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'

/** What came of all of a message. */
export const canaryResult = (scope: MerchantScope, messageId: string): Promise<CanaryResult> =>
  resultOfRows(
    scope,
    sql`select * from deliveries where merchant_id = ${scope.merchantId} and message_id = ${messageId}`,
  )

/** Of rows of the ledger. Each person counts for one thing, the worst first. */
export async function resultOfRows(scope: MerchantScope, deliveries: RawBuilder<unknown>): Promise<CanaryResult> {
  const { rows } = await sql<CanaryResult>`
    select count(*)::int as tried,
      count(*) filter (where complaint)::int as complaints,
      count(*) filter (where hard and not complaint)::int as hard,
      count(*) filter (where blocked and not hard and not complaint)::int as blocked,
      count(*) filter (where failed and not blocked and not hard and not complaint)::int as failed
    from (
      select d.complained_at is not null as complaint,
        coalesce(d.bounce_kind = 'hard', false) or (d.status = 'failed' and d.reason = 'permanent') as hard,
        coalesce(d.bounce_kind = 'blocked', false) as blocked,
        d.status = 'failed' as failed
      from (${deliveries}) d where d.status in ('sent', 'failed', 'uncertain')
    ) tried`.execute(scope.db)
  return rows[0] ?? { tried: 0, hard: 0, blocked: 0, complaints: 0, failed: 0 }
}

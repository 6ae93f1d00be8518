import type { CanaryResult } from '@okaeri/contract/campaigns/canary'
import { sql } from 'kysely'
import type { MerchantScope } from '../../../kernel/merchant-scope.ts'
import { resultOfRows } from '../../deliveries/index.ts'

/** What came of all of a message. */
export const canaryResult = (scope: MerchantScope, messageId: string): Promise<CanaryResult> =>
  resultOfRows(
    scope,
    sql`select * from deliveries where merchant_id = ${scope.merchantId} and message_id = ${messageId}`,
  )

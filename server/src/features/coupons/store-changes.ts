import type { MerchantScope, TransactionScope } from '../../kernel/merchant-scope.ts'
import { failCode, recordStoreReport, selectFailing } from './store-changes-queries.ts'

declare module '../../kernel/facts.ts' {
  interface Facts {
    /** Codes that messages show may not hold any longer: no more of them leave. Of a campaign, or (null) of scenarios. */
    'codes.doubted': { campaignId: string | null }
  }
}

/**
 * The store changed a discount or deleted it, or one of its codes. Ours are checked again. Where the report itself says that codes no
 * longer work, none is sent until then.
 */
export async function noteStoreChange(
  scope: TransactionScope,
  {
    storeDiscountId,
    holds,
    removedCode,
  }: { storeDiscountId: string; holds: boolean /** The others hold. */; removedCode: string | null },
): Promise<void> {
  const discount = await recordStoreReport(scope, storeDiscountId, { holds: holds || removedCode !== null })
  if (discount && removedCode !== null) await failCode(scope, discount.id, removedCode)
  if (discount && !holds) await scope.context.publish(scope, 'codes.doubted', { campaignId: discount.campaign_id })
}

/** What the ledger asks just before sending: which codes of its messages must not be sent now. */
export const failingCodes = async (scope: MerchantScope, codes: readonly string[]): Promise<ReadonlySet<string>> =>
  new Set(await selectFailing(scope, codes))

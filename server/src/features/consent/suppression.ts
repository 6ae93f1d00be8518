import type { SuppressionReason } from '@okaeri/contract/customers/customer'
import { normalizeEmail } from '@okaeri/contract/fields'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { insertSuppression, markLifted, selectSuppressions } from './queries.ts'

/** No mail goes to this address any more, whoever holds it. Answers whether that is new; the first reason stays. */
export const suppress = (
  scope: MerchantScope,
  { address, reason, detail }: { address: string; reason: SuppressionReason; detail?: string | null },
): Promise<boolean> => insertSuppression(scope, { addressKey: normalizeEmail(address), reason, detail: detail ?? null })

/** Mail may go there again. The row stays as history. Answers whether there was a suppression. */
export const liftSuppression = (scope: MerchantScope, { address }: { address: string }): Promise<boolean> =>
  markLifted(scope, normalizeEmail(address))

/** The reasons in force, by address in lower case. */
export async function suppressionsOf(
  scope: MerchantScope,
  addressKeys: readonly string[],
): Promise<Map<string, SuppressionReason>> {
  if (addressKeys.length === 0) return new Map()
  const rows = await selectSuppressions(scope, addressKeys)
  return new Map(rows.map(({ addressKey, reason }) => [addressKey, reason]))
}

import type { ConsentKind } from '@okaeri/contract/customers/customer'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { appendChanges } from './queries.ts'

/**
 * The ledger's first rows of customers an import has just created with these flags, in the same transaction. Nobody knew anything of
 * them, so the rule has nothing to decide; no store and no scenario knows them yet, so there is nobody to tell.
 */
export const recordFirstConsents = (
  scope: MerchantScope,
  consents: readonly { customerId: string; kind: ConsentKind; to: 'granted' | 'withdrawn' }[],
  proof: { wording: string; page: string },
): Promise<void> =>
  consents.length === 0
    ? Promise.resolve()
    : appendChanges(
        scope,
        consents.map((consent) => ({
          ...consent,
          ...proof,
          from: 'unknown',
          source: 'import',
          deliveryId: null,
          occurredAt: scope.now,
        })),
      )

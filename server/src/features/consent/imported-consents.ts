import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { type FirstConsent, type FirstConsentRows, firstConsentRows } from './queries.ts'

export type { FirstConsent, FirstConsentRows }

/**
 * The ledger's first rows of customers that bulk work creates, in the same transaction, with these flags. They were unknown, so the rule
 * has nothing to decide. No store and no scenario knows them yet, so no one is notified: the end of the work reports that much changed. A
 * customer without a stated permission gets no row.
 */
export const firstConsents = (scope: MerchantScope): FirstConsentRows => firstConsentRows(scope)

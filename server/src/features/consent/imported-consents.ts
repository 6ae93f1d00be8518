import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { type FirstConsent, type FirstConsentRows, firstConsentRows } from './queries.ts'

export type { FirstConsent, FirstConsentRows }

/**
 * The ledger's first rows of customers whom bulk work puts in, in the same transaction, with these flags. Nobody knew anything of
 * them, so the rule has nothing to decide; no store and no scenario knows them yet, so there is nobody to tell: the end of the work says
 * that much changed. Nothing is recorded of who said nothing.
 */
export const firstConsents = (scope: MerchantScope): FirstConsentRows => firstConsentRows(scope)

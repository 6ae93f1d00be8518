import {
  CONSENT_UPDATE,
  type ConsentUpdateResult,
  type ConsentUpdateVariables,
} from '../../integrations/shopify/operations.ts'
import { CUSTOMER_CONSENT, type CustomerConsentResult, globalId } from '../../integrations/shopify/sync-operations.ts'
import type { ConsentKind } from '@okaeri/contract/customers/customer'
import { IntegrationError } from '../../kernel/errors.ts'
import { job } from '../../kernel/jobs.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { findStore, getStoreClient } from '../stores/index.ts'
import { changeConsent } from './consent.ts'
import { type ConsentSource, consentTakesEffect, isFromStore, readStoreConsent } from './consent-rule.ts'
import { findPushRow } from './queries.ts'

/**
 * Tells the store the marketing permission as it is now, not as it was when the job was made: a second run finds nothing to tell.
 * What the store changed later than we did is taken over instead.
 */
export const pushConsent = job<{ customerId: string }>(
  'push_consent',
  ({ customerId }) => customerId,
  async (scope, { customerId }) => {
    const ours = await findPushRow(scope, customerId)
    if (!ours?.storeCustomerId || !ours.email || !ours.changedAt) return
    if (ours.state !== 'granted' && ours.state !== 'withdrawn') return
    const store = await findStore(scope)
    if (store?.status !== 'connected') return
    const client = await getStoreClient(scope)
    const id = globalId('Customer', ours.storeCustomerId)
    const { customer } = await client.graphql<CustomerConsentResult>(CUSTOMER_CONSENT, { id })
    // Gone there, or without an address: there is nothing to set, the webhook will tell.
    if (!customer?.defaultEmailAddress) return
    const { marketingState, marketingUpdatedAt } = customer.defaultEmailAddress
    const theirs = {
      to: readStoreConsent(marketingState),
      source: 'store' as const,
      occurredAt: marketingUpdatedAt === null ? null : new Date(marketingUpdatedAt),
    }
    if (theirs.to === ours.state) return
    if (consentTakesEffect(ours, theirs)) return takeOver(scope, customerId, theirs)
    const result = await client.graphql<ConsentUpdateResult>(CONSENT_UPDATE, {
      input: {
        customerId: id,
        emailMarketingConsent: {
          marketingState: ours.state === 'granted' ? 'SUBSCRIBED' : 'UNSUBSCRIBED',
          ...(ours.state === 'granted' ? { marketingOptInLevel: 'SINGLE_OPT_IN' as const } : {}),
          consentUpdatedAt: ours.changedAt.toISOString(),
        },
      },
    } satisfies ConsentUpdateVariables)
    const [refusal] = result.customerEmailMarketingConsentUpdate.userErrors
    if (refusal) throw new IntegrationError('shopify', false, `consent refused: ${refusal.message}`)
  },
)

async function takeOver(
  scope: MerchantScope,
  customerId: string,
  theirs: { to: ReturnType<typeof readStoreConsent>; source: 'store'; occurredAt: Date | null },
): Promise<void> {
  await changeConsent(scope, { customerId, kind: 'marketing', ...theirs })
}

/** What changed on our side is told to the store; what came from there is not. */
export async function pushConsentLater(
  scope: MerchantScope,
  { customerId, kind, source }: { customerId: string; kind: ConsentKind; source: ConsentSource },
): Promise<void> {
  if (kind === 'marketing' && !isFromStore(source)) await scope.context.jobs.later(scope, pushConsent, { customerId })
}

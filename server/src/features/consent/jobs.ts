import {
  CONSENT_UPDATE,
  type ConsentUpdateResult,
  type ConsentUpdateVariables,
} from '../../integrations/shopify/operations.ts'
import { CUSTOMER_CONSENT, type CustomerConsentResult, globalId } from '../../integrations/shopify/sync-operations.ts'
import { IntegrationError } from '../../kernel/errors.ts'
import type { Facts } from '../../kernel/facts.ts'
import { job } from '../../kernel/work/jobs.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { findStore, getStoreClient } from '../stores/index.ts'
import { changeConsent } from './consent.ts'
import { consentTakesEffect, isFromStore, readStoreConsent } from './consent-rule.ts'
import { findPushRow } from './queries.ts'

/** Customers one job tells the store of. */
const TOLD_AT_ONCE = 100

/**
 * Tells the store the marketing permission as it is now, not as it was when the job was made: a second run finds nothing to tell.
 * What the store changed later than we did is taken over instead.
 */
export const pushConsent = job<{ customerId: string }>(
  'push_consent',
  ({ customerId }) => customerId,
  (scope, { customerId }) => tellStore(scope, customerId),
)

/** The same for many who changed at once. After an interruption it starts again, and skips what was sent already. */
export const pushConsents = job<{ customerIds: string[] }>(
  'push_consents',
  ({ customerIds }) => `${customerIds[0]} ${customerIds.length}`,
  async (scope, { customerIds }) => {
    for (const customerId of customerIds) await tellStore(scope, customerId)
  },
)

async function tellStore(scope: MerchantScope, customerId: string): Promise<void> {
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
        // The store refuses a time in the future, which may have been stored before a clock was set back.
        consentUpdatedAt: (ours.changedAt < scope.now ? ours.changedAt : scope.now).toISOString(),
      },
    },
  } satisfies ConsentUpdateVariables)
  const [refusal] = result.customerEmailMarketingConsentUpdate.userErrors
  if (refusal) throw new IntegrationError('shopify', false, `consent refused: ${refusal.message}`)
}

async function takeOver(
  scope: MerchantScope,
  customerId: string,
  theirs: { to: ReturnType<typeof readStoreConsent>; source: 'store'; occurredAt: Date | null },
): Promise<void> {
  await changeConsent(scope, { customerId, kind: 'marketing', ...theirs })
}

/** A change on our side is sent to the store; a change that came from there is not. */
export async function pushConsentLater(
  scope: MerchantScope,
  { kind, source, changes }: Pick<Facts['consent.changed'], 'kind' | 'source' | 'changes'>,
): Promise<void> {
  if (kind !== 'marketing' || isFromStore(source)) return
  const ids = changes.map(({ customerId }) => customerId)
  const [first] = ids
  if (ids.length === 1 && first !== undefined)
    return scope.context.jobs.later(scope, pushConsent, { customerId: first })
  for (let at = 0; at < ids.length; at += TOLD_AT_ONCE)
    await scope.context.jobs.later(scope, pushConsents, { customerIds: ids.slice(at, at + TOLD_AT_ONCE) })
}

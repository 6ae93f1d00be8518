import type { ConsentState } from '@okaeri/contract/customers/customer'
import { AppError, IntegrationError } from '../../kernel/errors.ts'
import { job } from '../../kernel/jobs.ts'
import type { ConsentSource } from '../consent/index.ts'
import { changeConsent, changeConsentByAddress } from '../consent/index.ts'
import { createCustomer } from '../customers/index.ts'
import { countOutcomes } from '../tracking/index.ts'
import type { Addressee } from './addressee.ts'
import { isKnown } from './queries.ts'

/** How it came about, kept with the change as proof. */
export interface Circumstances {
  source: ConsentSource
  /** The words on the button, or the text shown beside it. */
  wording: string
  page: string
}

/** No more marketing to the mailbox and to the customer the mail was for; counted once for the mail that led to it. */
export async function unsubscribe(addressee: Addressee, how: Circumstances): Promise<void> {
  if (addressee.isTest) return
  await addressee.scope.transaction(async (scope) => {
    const changed = await change({ ...addressee, scope }, 'withdrawn', how)
    if (changed && addressee.deliveryId)
      await countOutcomes(scope, [{ deliveryId: addressee.deliveryId, kind: 'unsubscribed', at: scope.now }])
  })
}

/** The person behind the mailbox wants the mails. A suppression (bounce, complaint) stays. */
export async function subscribe(addressee: Addressee, how: Circumstances): Promise<void> {
  if (addressee.isTest) return
  try {
    if (await isThere(addressee)) await grant(addressee, how)
  } catch (error) {
    // The store does not answer, or has just turned out to be lost. Who confirmed has done their part.
    if (!(error instanceof IntegrationError) && !isStoreLost(error)) throw error
    await addressee.scope.context.jobs.later(addressee.scope, takeUpLater, { address: addressee.addressKey, how })
  }
}
const grant = (addressee: Addressed, how: Circumstances): Promise<boolean> =>
  addressee.scope.transaction((scope) => change({ ...addressee, scope }, 'granted', how))

/** What somebody confirmed while the store could not be asked. */
export const takeUpLater = job<{ address: string; how: Circumstances }>(
  'subscriptions.take_up',
  ({ address }) => address,
  async (scope, { address, how }) => {
    const addressee = { scope, addressKey: address, customerId: null, deliveryId: null }
    if (await isThere(addressee)) await grant(addressee, how)
  },
)

/** Whoever confirmed a request of the storefront and is no customer yet becomes one. */
async function isThere({ scope, addressKey, deliveryId }: Addressed): Promise<boolean> {
  if (deliveryId !== null || (await isKnown(scope, addressKey))) return true
  try {
    await createCustomer(scope, { email: addressKey })
    return true
  } catch (error) {
    // What the store refuses for good (an address it does not take) it refuses at every further try.
    if (!(error instanceof AppError) || isStoreLost(error)) throw error
    if (error.reason === 'customer_exists') return true
    scope.context.log.warn({ merchantId: scope.merchantId, reason: error.reason }, 'the store took no new subscriber')
    return false
  }
}

/** From the next try on we work without a store. */
const isStoreLost = (error: unknown): boolean => error instanceof AppError && error.reason === 'store_not_connected'

type Addressed = Pick<Addressee, 'scope' | 'addressKey' | 'customerId' | 'deliveryId'>

async function change(addressee: Addressed, to: ConsentState, how: Circumstances): Promise<boolean> {
  const { scope, addressKey, customerId } = addressee
  const circumstances = {
    ...how,
    kind: 'marketing' as const,
    ...(addressee.deliveryId ? { deliveryId: addressee.deliveryId } : {}),
  }
  const byAddress = await changeConsentByAddress(scope, { address: addressKey, to, ...circumstances })
  // Whoever changed their address since means themselves. Taking it up again speaks for the mailbox alone.
  const moved =
    to === 'withdrawn' && customerId !== null && !byAddress.includes(customerId)
      ? await changeConsent(scope, { customerId, to, ...circumstances })
      : false
  return byAddress.length > 0 || moved
}

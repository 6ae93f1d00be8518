import type { ConsentState } from '@okaeri/contract/customers/customer'
import { AppError, IntegrationError } from '../../kernel/errors.ts'
import { job } from '../../kernel/work/jobs.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import type { ConsentSource } from '../consent/index.ts'
import { changeConsent, changeConsentByAddress, endPause, pauseMarketing } from '../consent/index.ts'
import type { ConsentKind } from '@okaeri/contract/customers/customer'
import type { Locale } from '@okaeri/contract/locale'
import { createCustomer, createCustomerHere, listCustomerIdsByAddress, setOwnLanguage } from '../customers/index.ts'
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
export async function subscribe(addressee: Addressed & { isTest: boolean }, how: Circumstances): Promise<void> {
  if (addressee.isTest) return
  try {
    await letBeThere(addressee)
    await grant(addressee, how)
  } catch (error) {
    // The store does not answer, or has just turned out to be lost. Who confirmed has done their part.
    if (!(error instanceof IntegrationError) && !isStoreLost(error)) throw error
    await addressee.scope.context.jobs.later(addressee.scope, grantLater, { address: addressee.addressKey, how })
  }
}
/** A person who asks for the mails does not want them paused. */
const grant = (addressee: Addressed, how: Circumstances): Promise<boolean> =>
  addressee.scope.transaction(async (scope) => {
    await endPause(scope, addressee.addressKey)
    return change({ ...addressee, scope }, 'granted', how)
  })

/** Emails on favorites and restock. */
export async function setNotices(addressee: Addressee, wanted: boolean, how: Circumstances): Promise<void> {
  if (addressee.isTest) return
  await addressee.scope.transaction((scope) =>
    change({ ...addressee, scope }, wanted ? 'granted' : 'withdrawn', how, 'notification'),
  )
}

/** No marketing for a month, or again at once. */
export async function setPause({ isTest, scope, addressKey }: Addressee, wanted: boolean): Promise<void> {
  if (isTest) return
  if (wanted) await pauseMarketing(scope, addressKey)
  else await endPause(scope, addressKey)
}

/** The language of mails to this mailbox. */
export async function setLanguage({ isTest, scope, addressKey }: Addressee, language: Locale): Promise<void> {
  if (isTest) return
  for (const customerId of await listCustomerIdsByAddress(scope, addressKey))
    await setOwnLanguage(scope, customerId, language)
}

/** What a person confirmed while the store could not be reached. */
export const grantLater = job<{ address: string; how: Circumstances }>(
  'subscriptions.take_up',
  ({ address }) => address,
  async (scope, { address, how }) => {
    const addressee = { scope, addressKey: address, customerId: null, deliveryId: null }
    await letBeThere(addressee)
    await grant(addressee, how)
  },
)

/**
 * A person who confirmed a request of the storefront and is not a customer yet becomes one; here alone if the store refuses them for good
 * (an address it does not accept, or that a customer has who is not known here yet).
 */
async function letBeThere({ scope, addressKey, deliveryId }: Addressed): Promise<void> {
  if (deliveryId !== null || (await isKnown(scope, addressKey))) return
  try {
    await createCustomer(scope, { email: addressKey })
  } catch (error) {
    if (!(error instanceof AppError) || isStoreLost(error)) throw error
    if (await isKnown(scope, addressKey)) return
    scope.context.log.warn({ merchantId: scope.merchantId, reason: error.reason }, 'the store took no new subscriber')
    await keepHere(scope, addressKey)
  }
}

async function keepHere(scope: MerchantScope, email: string): Promise<void> {
  try {
    await createCustomerHere(scope, { email })
  } catch (error) {
    // Confirmed twice at once, or reported by the store meanwhile: the customer exists.
    if (!(error instanceof AppError) || error.reason !== 'customer_exists') throw error
  }
}

/** From the next try on we work without a store. */
const isStoreLost = (error: unknown): boolean => error instanceof AppError && error.reason === 'store_not_connected'

type Addressed = Pick<Addressee, 'scope' | 'addressKey' | 'customerId' | 'deliveryId'>

async function change(
  addressee: Addressed,
  to: ConsentState,
  how: Circumstances,
  kind: ConsentKind = 'marketing',
): Promise<boolean> {
  const { scope, addressKey, customerId } = addressee
  const circumstances = {
    ...how,
    kind,
    ...(addressee.deliveryId ? { deliveryId: addressee.deliveryId } : {}),
  }
  const byAddress = await changeConsentByAddress(scope, { address: addressKey, to, ...circumstances })
  // A customer who changed their address since means themselves. Subscribing again speaks for the mailbox alone.
  const moved =
    to === 'withdrawn' && customerId !== null && !byAddress.includes(customerId)
      ? await changeConsent(scope, { customerId, to, ...circumstances })
      : false
  return byAddress.length > 0 || moved
}

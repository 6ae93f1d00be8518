import type { ConsentState } from '@okaeri/contract/customers/customer'
import type { ConsentSource } from '../consent/index.ts'
import { changeConsent, changeConsentByAddress } from '../consent/index.ts'
import { countOutcomes } from '../tracking/index.ts'
import type { Addressee } from './addressee.ts'

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
  await addressee.scope.transaction((scope) => change({ ...addressee, scope }, 'granted', how))
}

async function change(addressee: Addressee, to: ConsentState, how: Circumstances): Promise<boolean> {
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

import type { SendingHold } from '@okaeri/contract/merchants/merchant'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { findStore } from '../stores/index.ts'
import { findReasonsToWait } from './watch-queries.ts'

/**
 * Why messages to customers wait for what the store has to say, and since when: after an outage of ours, who opted out meanwhile; after
 * another store was connected, whom it knows. Null: that is known, or there is no store to ask. After an outage a store that does not answer
 * in time is not waited for: then messages continue, as while a store is away.
 */
export async function presentWaitForStore(scope: MerchantScope): Promise<SendingHold | null> {
  const { hasAnotherStoresRows, optOutsUnknownSince } = await findReasonsToWait(scope)
  if (!hasAnotherStoresRows && !optOutsUnknownSince) return null
  const store = await findStore(scope)
  if (store?.status !== 'connected') return null
  if (hasAnotherStoresRows) return { since: store.connected_at.toISOString(), because: 'another_store' }
  return optOutsUnknownSince && !store.trouble ? { since: optOutsUnknownSince.toISOString(), because: 'outage' } : null
}

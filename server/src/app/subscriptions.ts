import { copyConnectedStore, endSyncOfLostStore } from '../features/data-sync/index.ts'
import { forgetCustomer, pushConsentLater, recordPermissions } from '../features/consent/index.ts'
import { forgetRecipient } from '../features/deliveries/index.ts'
import { creditOrder, forgetTracked, lowerOrder, withdrawOrder } from '../features/tracking/index.ts'
import type { Subscriptions } from '../kernel/events.ts'

/** Who reacts to which fact, in order, inside the publisher's transaction. */
export const subscriptions: Subscriptions = {
  'store.disconnected': [endSyncOfLostStore],
  'store.connected': [copyConnectedStore],
  'consent.changed': [pushConsentLater],
  'customer.deleted': [forgetCustomer, forgetTracked, forgetRecipient],
  'customers.changed': [],
  'customers.changed_widely': [],
  'customer.permissions_set': [recordPermissions],
  'order.placed': [creditOrder],
  'order.cancelled': [withdrawOrder],
  'order.refunded': [lowerOrder],
}

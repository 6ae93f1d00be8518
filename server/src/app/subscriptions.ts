import { forgetCustomer, pushConsentLater, recordPermissions } from '../features/consent/index.ts'
import type { Subscriptions } from '../kernel/events.ts'

/** Who reacts to which fact, in order, inside the publisher's transaction. */
export const subscriptions: Subscriptions = {
  'consent.changed': [pushConsentLater],
  'customer.deleted': [forgetCustomer],
  'customer.permissions_set': [recordPermissions],
}

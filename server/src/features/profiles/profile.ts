import type { CustomerDetail } from '@okaeri/contract/customers/routes'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { findPause, listConsentChanges } from '../consent/index.ts'
import { emailKeyOf, getCustomerView, listConflicts } from '../customers/index.ts'
import { presentFriendOf } from '../line-friends/index.ts'
import { listCustomerOrders } from '../orders/index.ts'
import {
  type MessageRow,
  selectCart,
  selectFavorites,
  selectLooks,
  selectMessages,
  selectMetafields,
} from './queries.ts'

const SHOWN_ORDERS = 20
const SHOWN_MESSAGES = 50
const SHOWN_FAVORITES = 50
const SHOWN_LOOKS = 20
const SHOWN_LINES = 50

/** Everything known about one customer. Throws 404 for another merchant's. */
export async function getProfile(scope: MerchantScope, customerId: string): Promise<CustomerDetail> {
  const [customer, line, orders, favorites, viewed, cart, metafields, conflicts, messages, consentChanges] =
    await Promise.all([
      getCustomerView(scope, customerId),
      presentFriendOf(scope, customerId),
      listCustomerOrders(scope, customerId, { limit: SHOWN_ORDERS, offset: 0 }),
      selectFavorites(scope, customerId, SHOWN_FAVORITES),
      selectLooks(scope, customerId, SHOWN_LOOKS),
      selectCart(scope, customerId, SHOWN_LINES),
      selectMetafields(scope, customerId),
      listConflicts(scope, customerId),
      selectMessages(scope, customerId, SHOWN_MESSAGES),
      listConsentChanges(scope, customerId),
    ])
  const key = emailKeyOf(customer.email)
  const pause = key === null ? null : await findPause(scope, key)
  return {
    customer,
    line,
    orders: orders.data,
    favorites,
    viewed,
    cart,
    metafields,
    conflicts,
    messages: messages.map(presentMessage),
    consent_changes: consentChanges,
    mail_paused_until: iso(pause),
  }
}

const iso = (at: Date | null): string | null => at?.toISOString() ?? null

export const presentMessage = (row: MessageRow) => ({
  ...row,
  created_at: row.created_at.toISOString(),
  sent_at: iso(row.sent_at),
  opened_at: iso(row.opened_at),
  clicked_at: iso(row.clicked_at),
  bounced_at: iso(row.bounced_at),
  machine_opened_at: iso(row.machine_opened_at),
  machine_clicked_at: iso(row.machine_clicked_at),
  unsubscribed_at: iso(row.unsubscribed_at),
  complained_at: iso(row.complained_at),
})

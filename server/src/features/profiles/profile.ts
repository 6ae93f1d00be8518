import type { CustomerDetail } from '@okaeri/contract/customers/routes'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { listConsentChanges } from '../consent/index.ts'
import { getCustomerView } from '../customers/index.ts'
import { listCustomerOrders } from '../orders/index.ts'
import { selectMessages } from './queries.ts'

const SHOWN_ORDERS = 20
const SHOWN_MESSAGES = 50

/** Everything known of one customer. Another merchant's customer is not found. */
export async function getProfile(scope: MerchantScope, customerId: string): Promise<CustomerDetail> {
  const customer = await getCustomerView(scope, customerId)
  const [orders, messages, consentChanges] = await Promise.all([
    listCustomerOrders(scope, customerId, SHOWN_ORDERS),
    selectMessages(scope, customerId, SHOWN_MESSAGES),
    listConsentChanges(scope, customerId),
  ])
  const iso = (at: Date | null): string | null => at?.toISOString() ?? null
  return {
    customer,
    orders,
    messages: messages.map((row) => ({
      ...row,
      created_at: row.created_at.toISOString(),
      sent_at: iso(row.sent_at),
      opened_at: iso(row.opened_at),
      clicked_at: iso(row.clicked_at),
      bounced_at: iso(row.bounced_at),
    })),
    consent_changes: consentChanges,
  }
}

import type { ConsentKind, ConsentState } from '@okaeri/contract/customers/customer'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import {
  addSent,
  type ConsentFlag,
  lockFlags,
  lockRows,
  type OrderSums,
  selectIdsByAddress,
  writeFlags,
  writeOrderSums,
} from './queries.ts'

/** Columns of a customer that other features decide: consent flags (consent), sums over orders (orders), messages (deliveries). */

/** The flags of these customers, locked until the transaction ends. Customers who are gone are missing. */
export const getConsentFlagsForUpdate = (
  scope: MerchantScope,
  kind: ConsentKind,
  customerIds: readonly string[],
): Promise<ConsentFlag[]> => lockFlags(scope, kind, customerIds)

export async function setConsentFlags(
  scope: MerchantScope,
  kind: ConsentKind,
  flags: readonly { customerId: string; state: ConsentState; changedAt: Date }[],
): Promise<void> {
  if (flags.length > 0) await writeFlags(scope, kind, flags)
}

/** Locks the customers, then sums up and writes: two orders of one customer at once cannot lose each other's sum. */
export async function recountOrders(
  scope: MerchantScope,
  customerIds: readonly string[],
  sumUp: (scope: MerchantScope, customerIds: readonly string[]) => Promise<OrderSums[]>,
): Promise<void> {
  if (customerIds.length === 0) return
  await scope.transaction(async (scope) => {
    await lockRows(scope, customerIds)
    await writeOrderSums(scope, await sumUp(scope, customerIds))
  })
}

/** One for each message sent; a customer may be named several times. */
export async function countMessagesSent(
  scope: MerchantScope,
  channel: 'email' | 'line',
  customerIds: readonly string[],
): Promise<void> {
  if (customerIds.length > 0)
    await addSent(scope, channel === 'email' ? 'email_sent_count' : 'line_sent_count', customerIds)
}

/** All customers with this address (lower case), the oldest first. */
export const listCustomerIdsByAddress = (scope: MerchantScope, addressKey: string): Promise<string[]> =>
  selectIdsByAddress(scope, addressKey)

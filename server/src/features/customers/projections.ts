import type { ConsentKind, ConsentState } from '@okaeri/contract/customers/customer'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { writeMailTimes } from './mail-times-queries.ts'
import { lockRows, type MailSums, type OrderSums, writeFlags, writeMailSums, writeOrderSums } from './queries.ts'

/** Columns of a customer that other features decide: consent flags (consent), order sums (orders), messages (deliveries). */

export async function setConsentFlags(
  scope: MerchantScope,
  kind: ConsentKind,
  flags: readonly { customerId: string; state: ConsentState; changedAt: Date }[],
): Promise<void> {
  if (flags.length > 0) await writeFlags(scope, kind, flags)
}

/** Locks the customers before summing up, so that two orders of one customer at once lose no sum. */
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

/**
 * Locks the customers, then sums up their mails from the ledger, with the times sent, opened and clicked. A second call changes nothing.
 * Returns the changed customers; the caller publishes.
 */
export function recountMails(
  scope: MerchantScope,
  customerIds: readonly string[],
  sumUp: (scope: MerchantScope, customerIds: readonly string[]) => Promise<MailSums[]>,
): Promise<string[]> {
  if (customerIds.length === 0) return Promise.resolve([])
  return scope.transaction(async (scope) => {
    await lockRows(scope, customerIds)
    const sums = await sumUp(scope, customerIds)
    const changed = await writeMailSums(scope, sums)
    return [...new Set([...changed, ...(await writeMailTimes(scope, sums))])]
  })
}

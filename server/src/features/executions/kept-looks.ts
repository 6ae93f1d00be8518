import type { Facts } from '../../kernel/facts.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { mayKeepLooks, withdrawnCustomers } from '../behavior/index.ts'
import { redactKeptLooks } from './kept-event-queries.ts'

/** Customers who take the permission back: which products they looked at is removed from the summaries of their events. */
export async function redactLooksOfExecutions(scope: MerchantScope, fact: Facts['consent.changed']): Promise<void> {
  const ids = withdrawnCustomers(fact)
  if (ids.length > 0) await redactKeptLooks(scope, ids)
}

/** After the executions of two customers were merged: the permission of the one who stays is what counts. */
export async function redactLooksOfMerged(scope: MerchantScope, { intoId }: Facts['customers.merged']): Promise<void> {
  if (!(await mayKeepLooks(scope, intoId))) await redactKeptLooks(scope, [intoId])
}

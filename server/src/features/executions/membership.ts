import type { TransactionScope } from '../../kernel/merchant-scope.ts'
import { areScenariosAsked } from '../segments/index.ts'
import { selectCustomersOf } from './membership-queries.ts'

/** What conditions of segments ask of executions: their customers. Tests have none, and neither have guests until they are customers. */
interface Whose {
  customer_id: string | null
  test: boolean
}

/**
 * These began, restarted, ended or were deleted: segments that ask about scenarios look at their customers again. In the transaction that
 * did it; nothing is written when no segment asks.
 */
export async function markDirty(scope: TransactionScope, executions: readonly Whose[]): Promise<void> {
  const customerIds = executions.flatMap(({ customer_id, test }) => (customer_id === null || test ? [] : customer_id))
  await tellWhereAsked(scope, customerIds.length, () => Promise.resolve(customerIds))
}

/** The same of executions known by their ids, which are still there. */
export const markDirtyById = (scope: TransactionScope, executionIds: readonly string[]): Promise<void> =>
  tellWhereAsked(scope, executionIds.length, () => selectCustomersOf(scope, executionIds))

async function tellWhereAsked(
  scope: TransactionScope,
  count: number,
  findCustomers: () => Promise<string[]>,
): Promise<void> {
  if (count === 0 || !(await areScenariosAsked(scope))) return
  const customerIds = [...new Set(await findCustomers())]
  if (customerIds.length > 0) await scope.context.publish(scope, 'customers.changed', { customerIds })
}

import type { TransactionScope } from '../../kernel/merchant-scope.ts'
import { areScenariosAsked } from '../segments/index.ts'
import { selectCustomersOf } from './membership-queries.ts'

/** What segment conditions need of executions: their customers. Tests have none, and guests have none until they become customers. */
interface Whose {
  customer_id: string | null
  test: boolean
}

/**
 * These executions began, restarted, ended or were deleted, so segments that ask about scenarios must look at their customers again.
 * Runs in the same transaction; writes nothing if no segment asks.
 */
export async function markDirty(scope: TransactionScope, executions: readonly Whose[]): Promise<void> {
  const customerIds = executions.flatMap(({ customer_id, test }) => (customer_id === null || test ? [] : customer_id))
  await markDirtyIfAsked(scope, customerIds.length, () => Promise.resolve(customerIds))
}

/** The same by execution ids, which must still exist. */
export const markDirtyById = (scope: TransactionScope, executionIds: readonly string[]): Promise<void> =>
  markDirtyIfAsked(scope, executionIds.length, () => selectCustomersOf(scope, executionIds))

async function markDirtyIfAsked(
  scope: TransactionScope,
  count: number,
  findCustomers: () => Promise<string[]>,
): Promise<void> {
  if (count === 0 || !(await areScenariosAsked(scope))) return
  const customerIds = [...new Set(await findCustomers())]
  if (customerIds.length > 0) await scope.context.publish(scope, 'customers.changed', { customerIds })
}

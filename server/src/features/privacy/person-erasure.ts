import { forgetJobs } from '../../kernel/work/jobs.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { erasePersonalData, type Person } from '../../kernel/personal-data.ts'

/** Erases a person from all tables, in the caller's transaction. Returns how many rows changed, by table; a second time none do. */
export async function erasePerson(scope: MerchantScope, person: Person): Promise<Record<string, number>> {
  const { tables, files } = scope.context.ports.personalDataInventory()
  const outcome: Record<string, number> = {}
  for (const entry of tables) if ('about' in entry) outcome[entry.table] = await erasePersonalData(scope, entry, person)
  outcome['jobs'] = await forgetJobs(scope, [...person.customerIds, ...person.addresses, ...person.phones])
  outcome['files'] = 0
  for (const { forget } of files) outcome['files'] += await forget(scope, person)
  return Object.fromEntries(Object.entries(outcome).filter(([, rows]) => rows > 0))
}

/**
 * Rows written during the erasure still have the ids of the person's rows, which are unique to them. Their address and the store's number
 * may belong to a new customer by now, so they are not looked for.
 */
export const leftovers = (person: Person): Person => ({
  ...person,
  storeCustomerIds: [],
  addresses: [],
  phones: [],
  names: [],
  storeOrderIds: [],
})

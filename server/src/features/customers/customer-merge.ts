import { retriedTransaction } from '../../kernel/database/deadlocks.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { moveConflicts } from './conflict-queries.ts'
import { mergeMailTimes } from './mail-times-queries.ts'
import { addSums } from './customer-merge-queries.ts'
import { deleteRow, lockRows } from './queries.ts'
import { findStoreCustomers } from './incoming/store-customers.ts'

declare module '../../kernel/facts.ts' {
  interface Facts {
    /** Two customers are merged. Features move rows of `fromId` to `intoId`; afterwards `fromId` is deleted. */
    'customers.merged': { fromId: string; intoId: string }
  }
}

/** Merges the store's customer `joined` into the kept one. Does nothing if it is unknown. */
export function mergeStoreCustomers(
  scope: MerchantScope,
  { joined, intoId }: { joined: number; intoId: string },
): Promise<void> {
  return retriedTransaction(scope, async (scope) => {
    const fromId = (await findStoreCustomers(scope, [joined])).get(joined)
    if (fromId && fromId !== intoId) await mergeCustomers(scope, { fromId, intoId })
  })
}

/** `intoId` stays, with the data of both. */
export function mergeCustomers(
  scope: MerchantScope,
  { fromId, intoId }: { fromId: string; intoId: string },
): Promise<void> {
  return scope.transaction(async (scope) => {
    await lockRows(scope, [fromId, intoId])
    await scope.context.publish(scope, 'customers.merged', { fromId, intoId })
    await addSums(scope, fromId, intoId)
    await mergeMailTimes(scope, fromId, intoId)
    await moveConflicts(scope, fromId, intoId)
    await deleteRow(scope, fromId)
    await scope.context.publish(scope, 'customers.changed', { customerIds: [fromId, intoId] })
  })
}

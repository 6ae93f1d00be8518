import { recurring } from '../../kernel/work/due-merchants.ts'
import type { Facts } from '../../kernel/facts.ts'
import { NIL_ID } from '../../kernel/ids.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { deleteEvents, listOldEvents } from '../events/index.ts'
import { keepEvents } from '../executions/index.ts'
import { EVENTS_KEPT_MS, oldEvents } from './due-queries.ts'
import {
  deleteEntriesOf,
  deleteRefused,
  moveEntries,
  moveEntriesFromGuest,
  selectEntered,
  selectUnneeded,
} from './entering-queries.ts'

/** The guest's entries become the customer's. */
export const joinEntries = (scope: MerchantScope, { guestId, customerId }: Facts['guest.joined']): Promise<void> =>
  moveEntriesFromGuest(scope, guestId, customerId)
export const mergeEntries = (scope: MerchantScope, { fromId, intoId }: Facts['customers.merged']): Promise<void> =>
  moveEntries(scope, fromId, intoId)
export const forgetEntries = (scope: MerchantScope, { customerId }: Facts['customer.deleted']): Promise<void> =>
  deleteEntriesOf(scope, customerId)

const SWEPT_AT_ONCE = 5000

/** Deletes old events and refusals, but no event of a running execution. A finished execution keeps a summary of its event. */
async function sweep(scope: MerchantScope): Promise<void> {
  const before = new Date(scope.now.getTime() - EVENTS_KEPT_MS)
  for (let after = NIL_ID; ; ) {
    const ids = await listOldEvents(scope, before, { after, limit: SWEPT_AT_ONCE })
    const last = ids.at(-1)
    if (!last) return
    await scope.transaction(async (scope) => {
      const unneeded = await selectUnneeded(scope, ids)
      await keepEvents(scope, unneeded, await selectEntered(scope, unneeded))
      await deleteRefused(scope, unneeded)
      await deleteEvents(scope, unneeded)
    })
    after = last
  }
}

export const sweepEvents = recurring({
  name: 'remove old events',
  everyMs: 3_600_000,
  due: oldEvents,
  async turn(scope) {
    await sweep(scope)
    return false
  },
})

import { openDepartures } from '../src/features/deliveries/departures.ts'
import { insertLease } from '../src/features/deliveries/lease-queries.ts'
import { journalOf } from '../src/features/deliveries/witness.ts'
import { newId } from '../src/kernel/ids.ts'
import type { MerchantScope } from '../src/kernel/merchant-scope.ts'

/** A lease on a message, with the open journal of its worker, as a turn of sending begins. */
export async function takeLease(scope: MerchantScope, messageId: string) {
  const { journal, seen } = await journalOf(scope.context, scope.merchantId)
  const departures = openDepartures(journal)
  const taken = await insertLease(scope, { workerId: newId(), messageId, journal, seen })
  if (!taken) throw new Error('no lease was given')
  departures.reached(taken.position)
  return { leaseId: taken.id, departures }
}

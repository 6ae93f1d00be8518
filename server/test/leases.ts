import { openTransmitLog } from '../src/features/deliveries/transmit-log/transmit-log.ts'
import { insertLease } from '../src/features/deliveries/sending/lease-queries.ts'
import { journalOf } from '../src/features/deliveries/transmit-log/witness.ts'
import { newId } from '../src/kernel/ids.ts'
import type { MerchantScope } from '../src/kernel/merchant-scope.ts'

/** A lease on a message, with the open transmit log of its worker, as a time slice begins. */
export async function takeLease(scope: MerchantScope, messageId: string) {
  const { journal, seen } = await journalOf(scope.context, scope.merchantId)
  const transmitLog = openTransmitLog(journal)
  const taken = await insertLease(scope, { workerId: newId(), messageId, journal, seen })
  if (!taken) throw new Error('no lease was given')
  transmitLog.reached(taken.position)
  return { leaseId: taken.id, transmitLog }
}

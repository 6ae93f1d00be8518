import type { Context } from '../../kernel/context.ts'
import { merchantScope } from '../../kernel/merchant-scope.ts'
import { forgetDepartures, readDepartures } from './departures.ts'
import { isOwnLease } from './lease.ts'
import { claimExpiredLeases, deleteLease, returnLeasedRows } from './lease-queries.ts'

/**
 * Takes over what a dead worker held: deliveries whose body left, or may have, become uncertain, the others go back to pending. Any
 * process can do it. Answers whether there was anything.
 */
export async function recoverExpiredLeases(context: Context, merchantId: string): Promise<boolean> {
  const { dataDir, leaseSeconds } = context.settings
  const recovered = await merchantScope(context, merchantId).transaction(async (scope) => {
    const leases = (await claimExpiredLeases(scope, leaseSeconds)).filter(({ id }) => !isOwnLease(id))
    for (const { id, handed_over, message_id } of leases) {
      const left = readDepartures(dataDir, merchantId, id)
      const uncertain = left ? handed_over.filter((deliveryId) => left.has(deliveryId)) : handed_over
      await returnLeasedRows(scope, { id, message_id, handed_over: uncertain })
      await deleteLease(scope, id)
      context.log.warn(
        { merchantId, messageId: message_id, uncertain: uncertain.length },
        'a worker died while sending; its work was taken over',
      )
    }
    return leases
  })
  for (const { id } of recovered) forgetDepartures(dataDir, merchantId, id)
  return recovered.length > 0
}

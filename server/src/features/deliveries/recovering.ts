import type { Context } from '../../kernel/context.ts'
import { merchantScope } from '../../kernel/merchant-scope.ts'
import { forgetDepartures, readDepartures } from './departures.ts'
import { isOwnLease } from './lease.ts'
import { claimExpiredLeases, deleteLease, listCleared, returnLeasedRows } from './lease-queries.ts'

/**
 * Takes over what a dead worker held: deliveries whose body left, or may have, become uncertain, the others go back to pending. Any
 * process can do it. Answers whether there was anything.
 */
export async function recoverExpiredLeases(context: Context, merchantId: string): Promise<boolean> {
  const { dataDir, leaseSeconds } = context.settings
  const recovered = await merchantScope(context, merchantId).transaction(async (scope) => {
    const leases = (await claimExpiredLeases(scope, leaseSeconds)).filter(({ id }) => !isOwnLease(id))
    for (const lease of leases) {
      const cleared = await listCleared(scope, lease)
      const left = readDepartures(dataDir, merchantId, lease.id)
      const uncertain = left ? cleared.filter((deliveryId) => left.has(deliveryId)) : cleared
      await returnLeasedRows(scope, lease, uncertain)
      await deleteLease(scope, lease.id)
      context.log.warn(
        { merchantId, messageId: lease.message_id, uncertain: uncertain.length },
        'a worker died while sending; its work was taken over',
      )
    }
    return leases
  })
  for (const { id } of recovered) forgetDepartures(dataDir, merchantId, id)
  return recovered.length > 0
}

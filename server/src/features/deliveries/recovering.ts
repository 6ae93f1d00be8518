import type { Context } from '../../kernel/context.ts'
import { merchantScope } from '../../kernel/merchant-scope.ts'
import { isOwnLease } from './lease.ts'
import { claimExpiredLeases, deleteLease, returnLeasedRows } from './queries.ts'

/**
 * Takes over what a dead worker held: deliveries whose body may have left become uncertain, the others go back to pending. Works from
 * the database alone, so any process can do it. Answers whether there was anything.
 */
export async function recoverExpiredLeases(context: Context, merchantId: string): Promise<boolean> {
  return merchantScope(context, merchantId).transaction(async (scope) => {
    const leases = (await claimExpiredLeases(scope, context.settings.leaseSeconds)).filter(({ id }) => !isOwnLease(id))
    for (const lease of leases) {
      await returnLeasedRows(scope, lease)
      await deleteLease(scope, lease.id)
      context.log.warn(
        { merchantId, messageId: lease.message_id, uncertain: lease.handed_over.length },
        'a worker died while sending; its work was taken over',
      )
    }
    return leases.length > 0
  })
}

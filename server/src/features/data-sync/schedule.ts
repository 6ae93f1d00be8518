import { eachMerchantWithDue, WEBHOOKS_KEPT_MS } from '../../kernel/due-merchants.ts'
import type { Recurring } from '../../kernel/schedule.ts'
import { advanceDueSync, beginDueSweep, checkDueLater } from './jobs.ts'
import { deleteOld } from './webhook-queries.ts'
import { processWebhooks } from './webhook-processing.ts'

const HOUR_MS = 3_600_000
const DELETED_A_TURN = 5000

/** Copies of stores, and what stores tell. */
export const dataSyncWork: readonly Recurring[] = [
  {
    name: 'advance copies of stores',
    everyMs: 300,
    run: (context, signal) => eachMerchantWithDue(context, 'syncs', signal, advanceDueSync),
  },
  {
    name: 'compare copies with stores',
    everyMs: 2000,
    run: (context, signal) =>
      eachMerchantWithDue(context, 'store_checks', signal, async (scope) => {
        const begun = await beginDueSweep(scope)
        return (await checkDueLater(scope)) || begun
      }),
  },
  {
    name: 'work in webhooks',
    everyMs: 300,
    // A batch of each in turn, so that one merchant's flood does not keep the others waiting.
    run: (context, signal) =>
      eachMerchantWithDue(context, 'webhooks', signal, (scope) => processWebhooks(scope, signal)),
  },
  {
    name: 'forget old webhooks',
    everyMs: HOUR_MS,
    run: (context, signal) =>
      eachMerchantWithDue(context, 'old_webhooks', signal, async (scope) => {
        const before = new Date(scope.now.getTime() - WEBHOOKS_KEPT_MS)
        return (await deleteOld(scope, before, DELETED_A_TURN)) > 0
      }),
  },
]

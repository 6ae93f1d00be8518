import { listMerchantsWithDue, WEBHOOKS_KEPT_MS } from '../../kernel/due-merchants.ts'
import { merchantScope } from '../../kernel/merchant-scope.ts'
import type { Recurring } from '../../kernel/schedule.ts'
import { advanceDueSync, beginDueSweep, checkDueLater } from './jobs.ts'
import { deleteOld } from './webhook-queries.ts'
import { workWebhooks } from './working.ts'

const HOUR_MS = 3_600_000
const DELETED_A_TURN = 5000

/** Copies of stores, and what stores tell. */
export const dataSyncWork: readonly Recurring[] = [
  {
    name: 'advance copies of stores',
    everyMs: 300,
    async run(context) {
      let worked = false
      for (const merchantId of await listMerchantsWithDue(context, 'syncs'))
        worked = (await advanceDueSync(merchantScope(context, merchantId))) || worked
      return worked
    },
  },
  {
    name: 'compare copies with stores',
    everyMs: 2000,
    async run(context) {
      let worked = false
      for (const merchantId of await listMerchantsWithDue(context, 'store_checks')) {
        const scope = merchantScope(context, merchantId)
        worked = (await beginDueSweep(scope)) || worked
        worked = (await checkDueLater(scope)) || worked
      }
      return worked
    },
  },
  {
    name: 'work in webhooks',
    everyMs: 300,
    async run(context, signal) {
      let worked = false
      // A batch of each in turn, so that one merchant's flood does not keep the others waiting.
      for (const merchantId of await listMerchantsWithDue(context, 'webhooks')) {
        if (signal.aborted) break
        worked = (await workWebhooks(merchantScope(context, merchantId), signal)) || worked
      }
      return worked
    },
  },
  {
    name: 'forget old webhooks',
    everyMs: HOUR_MS,
    async run(context) {
      let worked = false
      for (const merchantId of await listMerchantsWithDue(context, 'old_webhooks')) {
        const before = new Date(context.clock.now().getTime() - WEBHOOKS_KEPT_MS)
        worked = (await deleteOld(merchantScope(context, merchantId), before, DELETED_A_TURN)) > 0 || worked
      }
      return worked
    },
  },
]

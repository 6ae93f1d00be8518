import { recurring } from '../../kernel/work/due-merchants.ts'
import type { Recurring } from '../../kernel/work/schedule.ts'
import { dueChecks, dueSyncs, dueWebhooks, oldWebhooks, WEBHOOKS_KEPT_MS } from './due-queries.ts'
import { advanceDueSync, beginDueSweep, checkDueLater } from './jobs.ts'
import { deleteOld } from './webhooks/webhook-queries.ts'
import { processWebhooks } from './webhooks/webhook-processing.ts'

const HOUR_MS = 3_600_000
const DELETED_A_TURN = 5000

/** Copies of stores, and webhooks. */
export const dataSyncWork: readonly Recurring[] = [
  recurring({ name: 'advance copies of stores', everyMs: 300, due: dueSyncs, turn: advanceDueSync }),
  recurring({
    name: 'compare copies with stores',
    everyMs: 2000,
    due: dueChecks,
    async turn(scope) {
      const begun = await beginDueSweep(scope)
      return (await checkDueLater(scope)) || begun
    },
  }),
  // One batch per merchant in turn, so that a flood of one merchant's webhooks does not delay the others.
  recurring({ name: 'process webhooks', everyMs: 300, due: dueWebhooks, turn: processWebhooks }),
  recurring({
    name: 'forget old webhooks',
    everyMs: HOUR_MS,
    due: oldWebhooks,
    async turn(scope) {
      const before = new Date(scope.now.getTime() - WEBHOOKS_KEPT_MS)
      return (await deleteOld(scope, before, DELETED_A_TURN)) > 0
    },
  }),
]

import { recurring } from '../../kernel/work/due-merchants.ts'
import type { Recurring } from '../../kernel/work/schedule.ts'
import { passOn } from './calling.ts'
import { CALLS_KEPT_MS, dueCalls, oldCalls } from './due-queries.ts'
import { deleteOldCalls } from './queries.ts'

const HOUR_MS = 3_600_000
const DELETED_A_TURN = 5000
const MERCHANTS_AT_ONCE = 20

export const lineRelayWork: readonly Recurring[] = [
  recurring({ name: 'pass on webhooks of LINE', everyMs: 500, due: dueCalls, atOnce: MERCHANTS_AT_ONCE, turn: passOn }),
  recurring({
    name: 'forget old relay calls',
    everyMs: HOUR_MS,
    due: oldCalls,
    turn: async (scope) =>
      (await deleteOldCalls(scope, new Date(scope.now.getTime() - CALLS_KEPT_MS), DELETED_A_TURN)) > 0,
  }),
]

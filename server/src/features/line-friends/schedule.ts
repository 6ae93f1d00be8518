import { recurring } from '../../kernel/work/due-merchants.ts'
import type { Recurring } from '../../kernel/work/schedule.ts'
import { EVENTS_KEPT_MS, missingProfiles, oldEvents, waitingEvents } from './due-queries.ts'
import { processEvents } from './event-processing.ts'
import { deleteOldEvents } from './event-queries.ts'
import { readProfiles } from './profiles.ts'

const HOUR_MS = 3_600_000
const DELETED_A_TURN = 5000

export const lineFriendWork: readonly Recurring[] = [
  recurring({ name: 'process events of LINE', everyMs: 300, due: waitingEvents, turn: processEvents }),
  recurring({ name: 'read profiles of LINE', everyMs: 5000, due: missingProfiles, turn: readProfiles }),
  recurring({
    name: 'forget old events of LINE',
    everyMs: HOUR_MS,
    due: oldEvents,
    turn: async (scope) =>
      (await deleteOldEvents(scope, new Date(scope.now.getTime() - EVENTS_KEPT_MS), DELETED_A_TURN)) > 0,
  }),
]

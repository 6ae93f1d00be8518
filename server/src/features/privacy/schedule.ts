import { recurring } from '../../kernel/work/due-merchants.ts'
import type { Recurring } from '../../kernel/work/schedule.ts'
import { deleteEndedPauses, deleteOldProofs } from '../consent/index.ts'
import { duePrivacyRequests, oldProofs } from './due-queries.ts'
import { processRequests } from './request-processing.ts'

const DAY_MS = 86_400_000

export const privacyWork: readonly Recurring[] = [
  recurring({ name: 'work privacy requests', everyMs: 1000, due: duePrivacyRequests, turn: processRequests }),
  recurring({
    name: 'forget old proofs of consent',
    everyMs: DAY_MS,
    due: oldProofs,
    async turn(scope) {
      await deleteOldProofs(scope)
      await deleteEndedPauses(scope)
      return false
    },
  }),
]

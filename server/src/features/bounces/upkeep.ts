import { recurring } from '../../kernel/work/due-merchants.ts'
import type { Recurring } from '../../kernel/work/schedule.ts'
import { evidenceBefore, oldEvidence } from './due-queries.ts'
import { clearEvidence } from './queries.ts'

/** A mail that came back names people and what they wrote to each other; it is kept only as long as a member may ask why. */
export const clearBounceEvidence: Recurring = recurring({
  name: 'clear the evidence of old bounces',
  everyMs: 3_600_000,
  due: oldEvidence,
  turn: (scope) => clearEvidence(scope, evidenceBefore(scope.context)),
})

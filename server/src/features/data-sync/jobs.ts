import { job } from '../../kernel/jobs.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { makeDue, takeDueRun } from './queries.ts'
import { advanceSync } from './sync.ts'

/** Takes a copy as far as it goes now. Only one worker at a time gets anywhere, so it may run twice. */
export const advanceSyncJob = job<{ runId: string }>(
  'advance_sync',
  ({ runId }) => runId,
  (scope, { runId }) => advanceSync(scope, runId),
)

/** Longer than a job waits in line; then it is asked for again, for the one who took it may be dead. */
const PUT_OFF_MS = 5000

/** Has the merchant's copy looked at, if one is due. Answers whether. */
export async function advanceDueSync(scope: MerchantScope): Promise<boolean> {
  return scope.transaction(async (scope) => {
    const putOffUntil = new Date(scope.context.clock.realNow().getTime() + PUT_OFF_MS)
    const runId = await takeDueRun(scope, putOffUntil)
    if (runId) await scope.context.jobs.later(scope, advanceSyncJob, { runId })
    return runId !== null
  })
}

/** An export was finished: no need to wait for the next look. */
export const syncSoon = (scope: MerchantScope): Promise<void> => makeDue(scope)

import { type Condition, leavesOf } from '@okaeri/contract/segments/condition'
import { recurring } from '../../kernel/work/due-merchants.ts'
import { job } from '../../kernel/work/jobs.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { configurePlanner } from './conditions/condition-queries.ts'
import { dueScores } from './due-queries.ts'
import { readMerchantCalendar } from './queries.ts'
import { lockScores, readLastScored, writeScores } from './scores-queries.ts'

// How recently, how often and for how much customers ordered (RFM), and when they usually order next: plain statistics, explained in the
// README. They change with the days and with other customers' orders, so they are calculated again each night.

/** More customers than this are not named one by one. */
const NAMED_AT_ONCE = 10_000

/** Scores everyone who ordered; customers with changed scores are marked dirty. */
export function scoreCustomersNow(scope: MerchantScope): Promise<void> {
  return scope.transaction(async (scope) => {
    await lockScores(scope)
    await configurePlanner(scope, { everyone: true })
    const { timezone } = await readMerchantCalendar(scope)
    // Before the first scores no one had a rank that could change.
    const learned = (await readLastScored(scope)) === null
    const { changed, changedIds } = await writeScores(scope, { timezone, shownIds: NAMED_AT_ONCE })
    if (changed > NAMED_AT_ONCE) await scope.context.publish(scope, 'customers.changed_widely', { learned })
    else if (changed > 0) await scope.context.publish(scope, 'customers.changed', { customerIds: changedIds, learned })
  })
}

/** Runs during the day if a member needs scores that were never calculated. */
export const scoreCustomers = job(
  'segments.score',
  (_data: Record<never, never>) => 'score',
  async (scope) => {
    if ((await readLastScored(scope)) === null) await scoreCustomersNow(scope)
  },
)

/** Calculates missing scores if the conditions ask about them. */
export async function scoreWhereNeeded(scope: MerchantScope, conditions: Condition): Promise<void> {
  const isAsked = leavesOf(conditions).some(({ category }) => category === 'scores')
  if (isAsked && (await readLastScored(scope)) === null) await scope.context.jobs.later(scope, scoreCustomers, {})
}

/** At three in the morning of each merchant (due-queries.ts). */
export const scoreEachNight = recurring({
  name: 'score customers',
  everyMs: 5 * 60_000,
  due: dueScores,
  async turn(scope) {
    await scoreCustomersNow(scope)
    return true
  },
})

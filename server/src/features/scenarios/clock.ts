import type { Context } from '../../kernel/context.ts'
import { eachMerchantWithDue } from '../../kernel/due-merchants.ts'
import { type MerchantScope, merchantScope } from '../../kernel/merchant-scope.ts'
import type { Recurring } from '../../kernel/schedule.ts'
import { localDay } from '../segments/index.ts'
import { isLeaving, tellOfLeft } from './abandoned.ts'
import { selectClocks, tryLookingAtClock, upsertClock } from './clock-queries.ts'
import { daysDue, isDaily, tellOfDay } from './daily-triggers.ts'
import { selectRunning, selectTimezone } from './entering-queries.ts'
import { readFlows } from './reading-flows.ts'

/** A moved clock is further ahead than it can have drifted. */
const MOVED_MS = 60_000
const aheadBefore = new WeakMap<Context, number>()

/** Whether the sandbox's clock was moved forward since this process looked last. Outside the sandbox never. */
function wasMoved({ clock }: Context, before: number | undefined): boolean {
  const ahead = clock.now().getTime() - clock.realNow().getTime()
  return before !== undefined && ahead - before > MOVED_MS
}

const WHOLE_DAY_EVERY_MS = 3_600_000
/** When this process looked for what was left during a whole day, by scenario (product time). */
const wholeDays = new WeakMap<Context, Map<string, number>>()

/** Makes the events that the clock brings to one merchant's scenarios. */
async function lookAtClock(scope: MerchantScope, moved: boolean): Promise<void> {
  const looked = wholeDays.get(scope.context) ?? new Map<string, number>()
  wholeDays.set(scope.context, looked)
  const lookedNow = await scope.transaction(async (scope) => {
    const wholly = new Map<string, number>()
    if (!(await tryLookingAtClock(scope))) return wholly
    const rows = await selectRunning(scope)
    const flows = await readFlows(
      scope,
      rows.map(({ id, version }) => ({ scenarioId: id, version })),
    )
    const clocks = await selectClocks(scope)
    const timezone = await selectTimezone(scope)
    const today = localDay(scope.now, timezone)
    for (const { id: scenarioId, version, enabled_at: enabledAt } of rows) {
      const trigger = flows(scenarioId, version)?.trigger
      const clock = clocks.get(scenarioId)
      if (trigger && isLeaving(trigger)) {
        const now = scope.now.getTime()
        const last = looked.get(scenarioId)
        // Also when the time after which a basket is left may be another.
        const wholeDay = last === undefined || now - last >= WHOLE_DAY_EVERY_MS || clock?.version !== version
        if (wholeDay) wholly.set(scenarioId, now)
        await tellOfLeft(scope, scenarioId, trigger, { enabledAt, lookedUntil: clock?.looked_until ?? null, wholeDay })
        await upsertClock(scope, { scenarioId, version, lookedUntil: scope.now })
      }
      if (!trigger || !isDaily(trigger)) continue
      if (clock?.looked_day === today && clock.version === version) continue
      const lookedDay = clock?.looked_day ?? (enabledAt && localDay(new Date(enabledAt.getTime() - DAY_MS), timezone))
      const days = daysDue(trigger, { now: scope.now, timezone, enabledAt, lookedDay, moved })
      for (const day of days) await tellOfDay(scope, scenarioId, trigger, { day, timezone })
      const last = days.at(-1)
      if (last) await upsertClock(scope, { scenarioId, version, lookedDay: last })
    }
    return wholly
  })
  for (const [scenarioId, at] of lookedNow) looked.set(scenarioId, at)
}
const DAY_MS = 86_400_000

export const lookAtClocks: Recurring = {
  name: 'look at the clock for scenarios',
  everyMs: 15_000,
  async run(context, signal) {
    const moved = wasMoved(context, aheadBefore.get(context))
    await eachMerchantWithDue(context, 'scenario_clocks', signal, async (merchantId) => {
      await lookAtClock(merchantScope(context, merchantId), moved)
      return false
    })
    if (signal.aborted) return false
    aheadBefore.set(context, context.clock.now().getTime() - context.clock.realNow().getTime())
    return false
  },
}

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

/** Makes the events that the clock brings to one merchant's scenarios. */
async function lookAtClock(scope: MerchantScope, moved: boolean): Promise<void> {
  await scope.transaction(async (scope) => {
    if (!(await tryLookingAtClock(scope))) return
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
        await tellOfLeft(scope, scenarioId, trigger, { enabledAt, lookedUntil: clock?.looked_until ?? null })
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
  })
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

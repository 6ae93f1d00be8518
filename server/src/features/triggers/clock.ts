import type { Context } from '../../kernel/context.ts'
import { recurring } from '../../kernel/work/due-merchants.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { isAbandonment, type AbandonmentTrigger, readFlows, selectRunning, selectTimezone } from '../flows/index.ts'
import { localDay } from '../segments/index.ts'
import { type ClockRow, selectClocks, tryLockClock, upsertClock } from './clock-queries.ts'
import { countOfDay, type DailyTrigger, daysDue, isDaily, MISSED_DAYS, recordDay } from './daily-triggers.ts'
import { scenariosOfTheClock } from './due-queries.ts'
import { recordAbandonedBaskets } from './abandoned-baskets.ts'
import { triggerRules } from './trigger-kinds/index.ts'

const WHOLE_DAY_EVERY_MS = 3_600_000
/** By scenario, when this process last looked back over a whole day (product time). */
const wholeDays = new WeakMap<Context, Map<string, number>>()

/** An active scenario with what the clock knows of it. */
interface Clocked {
  scenarioId: string
  version: number
  enabledAt: Date | null
  /** Null: first look. */
  clock: ClockRow | null
}

/** Records the events that the clock makes for one merchant's scenarios. */
async function recordDueEvents(scope: MerchantScope): Promise<void> {
  const looked = wholeDays.get(scope.context) ?? new Map<string, number>()
  wholeDays.set(scope.context, looked)
  const { wholly, passedOver } = await scope.transaction(async (scope) => {
    if (!(await tryLockClock(scope))) return { wholly: [], passedOver: [] }
    const rows = await selectRunning(scope)
    const flows = await readFlows(
      scope,
      rows.map(({ id, version }) => ({ scenarioId: id, version })),
    )
    const clocks = await selectClocks(scope)
    const timezone = await selectTimezone(scope)
    const triggers = rows.map(({ id, version }) => flows(id, version)?.trigger)
    const checkoutsToo = triggers.some((trigger) => trigger?.kind === 'checkout_abandoned')
    // Before that, last orders are not known. The day is looked at as soon as they are.
    const knowsOrders = await scope.context.ports.storeIsCopied(scope, { orders: true })
    const wholly: string[] = []
    const passedOver: { scenarioId: string; people: number }[] = []
    for (const [index, { id: scenarioId, version, enabled_at: enabledAt }] of rows.entries()) {
      const clocked = { scenarioId, version, enabledAt, clock: clocks.get(scenarioId) ?? null }
      const trigger = triggers[index]
      if (trigger && isAbandonment(trigger)) {
        const lastWhole = looked.get(scenarioId) ?? null
        const { wholeDay, people } = await checkBaskets(scope, clocked, trigger, { lastWhole, checkoutsToo })
        if (wholeDay) wholly.push(scenarioId)
        passedOver.push({ scenarioId, people })
      }
      if (trigger && isDaily(trigger) && (knowsOrders || !triggerRules(trigger.kind).daily.needsOrders))
        passedOver.push({ scenarioId, people: await checkDays(scope, clocked, trigger, timezone) })
    }
    return { wholly, passedOver }
  })
  for (const { scenarioId, people } of passedOver)
    if (people > 0)
      scope.context.log.warn(
        { merchantId: scope.merchantId, scenarioId, people },
        `more than the ${MISSED_DAYS} days that are made up for went by: these people do not enter the scenario`,
      )
  for (const scenarioId of wholly) looked.set(scenarioId, scope.now.getTime())
}

/** Returns whether a whole day of baskets was read, and how many people were passed over. */
async function checkBaskets(
  scope: MerchantScope,
  { scenarioId, version, enabledAt, clock }: Clocked,
  trigger: AbandonmentTrigger,
  { lastWhole, ...given }: { lastWhole: number | null; checkoutsToo: boolean },
): Promise<{ wholeDay: boolean; people: number }> {
  // Also when the flow changed, and with it perhaps the minutes.
  const isDue = lastWhole === null || scope.now.getTime() - lastWhole >= WHOLE_DAY_EVERY_MS
  const wholeDay = isDue || clock?.version !== version
  const lookedUntil = clock?.looked_until ?? null
  const people = await recordAbandonedBaskets(scope, scenarioId, trigger, {
    enabledAt,
    lookedUntil,
    wholeDay,
    ...given,
  })
  await upsertClock(scope, { scenarioId, version, lookedUntil: scope.now })
  return { wholeDay, people }
}

async function checkDays(
  scope: MerchantScope,
  { scenarioId, version, enabledAt, clock }: Clocked,
  trigger: DailyTrigger,
  timezone: string,
): Promise<number> {
  if (clock?.looked_day === localDay(scope.now, timezone) && clock.version === version) return 0
  // First look: days before this flow are not missed.
  const since = clock?.looked_day ? enabledAt : (clock?.since ?? enabledAt)
  const lookedDay = clock?.looked_day ?? (since && localDay(new Date(since.getTime() - DAY_MS), timezone))
  const { days, missed, passedOver } = daysDue(trigger, {
    now: scope.now,
    timezone,
    enabledAt: since,
    lookedDay,
  })
  let people = 0
  for (const day of passedOver) people += await countOfDay(scope, scenarioId, trigger, { day, timezone })
  for (const day of missed) await recordDay(scope, scenarioId, trigger, { day, timezone, missed: true })
  for (const day of days) await recordDay(scope, scenarioId, trigger, { day, timezone, missed: false })
  const last = [...passedOver, ...missed, ...days].at(-1)
  if (last) await upsertClock(scope, { scenarioId, version, lookedDay: last })
  return people
}
const DAY_MS = 86_400_000

export const checkClocks = recurring({
  name: 'look at the clock for scenarios',
  everyMs: 15_000,
  due: scenariosOfTheClock,
  async turn(scope) {
    await recordDueEvents(scope)
    return false
  },
})

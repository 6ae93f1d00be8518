import { PEOPLE_COUNTED_TO } from '@okaeri/contract/scenarios/outlook'
import type { Trigger } from '@okaeri/contract/scenarios/trigger'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { recordEvents } from '../events/index.ts'
import { addDays, localDay } from '../segments/index.ts'
import { timeOn } from './days.ts'
import { triggerRules } from './trigger-kinds/index.ts'

export type DailyTrigger = Extract<Trigger, { time: string }>
export const isDaily = (trigger: Trigger): trigger is DailyTrigger => 'time' in trigger

/** Older days are never looked at. */
const MAX_DAYS = 400
/** Missed days up to this many before today ask first. Older ones are only counted. */
export const MISSED_DAYS = 7
/** A look this much after midnight is not an outage. */
const ON_TIME_MS = 10 * 60_000

/** Days in the merchant's calendar whose time has come and whose events are not recorded yet; each list in order. */
export interface DaysDue {
  days: string[]
  /** Over when they were found. */
  missed: string[]
  /** Too long ago to ask about. */
  passedOver: string[]
}

/**
 * The days to look at now. A day that is over is not sent automatically a day late, whether no worker ran or the clock was moved past
 * it.
 */
export function daysDue(
  { time }: DailyTrigger,
  given: { now: Date; timezone: string; enabledAt: Date | null; lookedDay: string | null },
): DaysDue {
  const { now, timezone, enabledAt, lookedDay } = given
  const today = localDay(now, timezone)
  const next = lookedDay !== null && lookedDay < today ? addDays(lookedDay, 1) : today
  const earliest = addDays(today, -MAX_DAYS)
  const due: DaysDue = { days: [], missed: [], passedOver: [] }
  for (let day = next < earliest ? earliest : next; day <= today; day = addDays(day, 1)) {
    const at = timeOn(day, time, timezone)
    if (at > now || (enabledAt !== null && at < enabledAt)) continue
    if (day === today || now.getTime() - at.getTime() <= ON_TIME_MS) due.days.push(day)
    else if (day >= addDays(today, -MISSED_DAYS)) due.missed.push(day)
    else due.passedOver.push(day)
  }
  return due
}

/** People in one statement. */
const AT_ONCE = PEOPLE_COUNTED_TO

interface Day {
  day: string
  timezone: string
}

/** Records the events of one day: once per customer and day, however often it is called. */
export async function recordDay(
  scope: MerchantScope,
  scenarioId: string,
  trigger: DailyTrigger,
  { day, timezone, missed }: Day & { missed: boolean },
): Promise<void> {
  const { kind, time } = trigger
  const { of, key, find } = await unrecordedOf(scope, scenarioId, trigger, { day, timezone })
  const occurredAt = timeOn(day, time, timezone)
  for (let found = AT_ONCE; found === AT_ONCE; ) {
    const customerIds = await find()
    found = customerIds.length
    await recordEvents(
      scope,
      customerIds.map((customerId) => ({
        kind,
        key: `${key}:${customerId}:${of}`,
        customerId,
        scenarioId,
        subject: { day: of },
        occurredAt,
        missed,
      })),
    )
  }
}

/** How many people a day's events would be for, up to {@link AT_ONCE}. */
export async function countOfDay(
  scope: MerchantScope,
  scenarioId: string,
  trigger: DailyTrigger,
  day: Day,
): Promise<number> {
  const { find } = await unrecordedOf(scope, scenarioId, trigger, day)
  return (await find()).length
}

async function unrecordedOf(scope: MerchantScope, scenarioId: string, trigger: DailyTrigger, { day, timezone }: Day) {
  const { daysUntil, finder } = triggerRules(trigger.kind).daily
  const of = addDays(day, daysUntil(trigger))
  const key = `${trigger.kind}:${scenarioId}`
  const find = await finder(scope, trigger, { day: of, timezone })
  return { of, key, find: async () => (find ? await find({ key, day: of, limit: AT_ONCE }) : []) }
}

import { PEOPLE_COUNTED_TO } from '@okaeri/contract/scenarios/outlook'
import type { Trigger } from '@okaeri/contract/scenarios/trigger'
import { DateTime } from 'luxon'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { recordEvents } from '../events/index.ts'
import { addDays, localDay, startOfDay } from '../segments/index.ts'
import { findDateSetting, selectBornOn, selectLastOrderedIn, selectWithDateIn } from './clock-queries.ts'

export type DailyTrigger = Extract<Trigger, { kind: 'birthday' | 'metafield_date' | 'days_without_order' }>
export const isDaily = (trigger: Trigger): trigger is DailyTrigger => 'time' in trigger

/** The instant a trigger's time comes on a day of the merchant's calendar; where clocks jump over it, just after. */
export const timeOn = (day: string, time: string, timezone: string): Date =>
  DateTime.fromISO(`${day}T${time}`, { zone: timezone }).toJSDate()

/** Days further back than this are not looked at. */
const MAX_DAYS = 400
/** So many days before today are made up for when they went by unseen: those people ask. Of more it is only said how many there were. */
export const MISSED_DAYS = 7
/** A look that was a little long in coming is no outage, though midnight lies between. */
const ON_TIME_MS = 10 * 60_000

/** Days of the merchant's calendar whose time has come, and nobody told of; each list in their order. */
export interface DaysDue {
  days: string[]
  /** Over when they were found. */
  missed: string[]
  /** Over for longer than is made up for. */
  passedOver: string[]
}

/**
 * The days to look at now: what should have come on a day that is over is not sent by itself a day late, whether nobody looked or the clock
 * was moved past it.
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

/** People told of in one statement. */
const AT_ONCE = PEOPLE_COUNTED_TO

interface Day {
  day: string
  timezone: string
}

/** Makes the events of one day. Once for a customer and what the day stands for, however often it is looked at. */
export async function tellOfDay(
  scope: MerchantScope,
  scenarioId: string,
  trigger: DailyTrigger,
  { day, timezone, missed }: Day & { missed: boolean },
): Promise<void> {
  const { kind, time } = trigger
  const { of, key, find } = await untoldOf(scope, scenarioId, trigger, { day, timezone })
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

/** How many people were to be told of on a day and were not; not counted beyond {@link AT_ONCE}. */
export async function countOfDay(
  scope: MerchantScope,
  scenarioId: string,
  trigger: DailyTrigger,
  day: Day,
): Promise<number> {
  const { find } = await untoldOf(scope, scenarioId, trigger, day)
  return (await find()).length
}

async function untoldOf(scope: MerchantScope, scenarioId: string, trigger: DailyTrigger, { day, timezone }: Day) {
  const of = standingFor(trigger, day)
  const key = `${trigger.kind}:${scenarioId}`
  const find = await finder(scope, trigger, of, timezone)
  return { of, key, find: async () => (find ? await find({ key, day: of, limit: AT_ONCE }) : []) }
}

/** The day people have something to do with: the birthday, the date in the metafield, the day of the last order. */
function standingFor(trigger: DailyTrigger, day: string): string {
  if (trigger.kind === 'birthday') return addDays(day, trigger.days_before)
  return addDays(day, trigger.kind === 'metafield_date' ? -trigger.offset_days : -trigger.days)
}

/** The zone in which a metafield's values are days: a date without a time is kept as its midnight in UTC. */
export const zoneOfDates = ({ value_type }: { value_type: string }, timezone: string): string =>
  value_type === 'date' ? 'utc' : timezone

type Find = (telling: { key: string; day: string; limit: number }) => Promise<string[]>

async function finder(
  scope: MerchantScope,
  trigger: DailyTrigger,
  day: string,
  timezone: string,
): Promise<Find | null> {
  if (trigger.kind === 'birthday') return (telling) => selectBornOn(scope, datesOfYears(day), telling)
  const spanOf = (date: string, zone: string): { from: Date; to: Date } => ({
    from: startOfDay(date, zone),
    to: startOfDay(addDays(date, 1), zone),
  })
  if (trigger.kind === 'days_without_order')
    return (telling) => selectLastOrderedIn(scope, spanOf(day, timezone), telling)
  const setting = trigger.metafield ? await findDateSetting(scope, trigger.metafield) : null
  if (!setting) return null
  const zone = zoneOfDates(setting, timezone)
  const dates = trigger.every_year ? datesOfYears(day) : [day]
  const spans = dates.map((date) => spanOf(date, zone))
  return (telling) => selectWithDateIn(scope, { settingId: setting.id, spans }, telling)
}

const FIRST_YEAR = 1900
/** Stands for a year nobody knows (contract: birthdays). */
const NO_YEAR = 1004

/** The same day of every year up to this one; on 28 February of a common year those of 29 February too. */
export function datesOfYears(day: string): string[] {
  const thisYear = Number(day.slice(0, 4))
  const isLeap = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  const parts = [day.slice(5), ...(day.slice(5) === '02-28' && !isLeap(thisYear) ? ['02-29'] : [])]
  const years = [NO_YEAR, ...Array.from({ length: thisYear - FIRST_YEAR + 1 }, (_, index) => FIRST_YEAR + index)]
  return years.flatMap((year) =>
    parts.filter((part) => part !== '02-29' || isLeap(year)).map((part) => `${year}-${part}`),
  )
}

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

/** Days further back than this are not caught up with when the sandbox's clock is moved. */
const MAX_DAYS_MOVED = 400

/**
 * The days to look at now. A worker that was away over the time makes up for the present day only: what should have come on another day
 * comes no more. When the sandbox's clock was moved (`moved`) nobody was away: then the days in between had come too.
 */
export function daysDue(
  { time }: DailyTrigger,
  given: { now: Date; timezone: string; enabledAt: Date | null; lookedDay: string | null; moved: boolean },
): string[] {
  const { now, timezone, enabledAt, lookedDay, moved } = given
  const today = localDay(now, timezone)
  const first = moved && lookedDay !== null && lookedDay < today ? addDays(lookedDay, 1) : today
  const days: string[] = []
  for (let day = first; day <= today && days.length < MAX_DAYS_MOVED; day = addDays(day, 1)) {
    const at = timeOn(day, time, timezone)
    if (at <= now && (enabledAt === null || at >= enabledAt)) days.push(day)
  }
  return days
}

/** People told of in one statement. */
const AT_ONCE = 5000

/** Makes the events of one day. Once for a customer and what the day stands for, however often it is looked at. */
export async function tellOfDay(
  scope: MerchantScope,
  scenarioId: string,
  trigger: DailyTrigger,
  { day, timezone }: { day: string; timezone: string },
): Promise<void> {
  const { kind, time } = trigger
  const of = standingFor(trigger, day)
  const key = `${kind}:${scenarioId}`
  const telling = { key, day: of, limit: AT_ONCE }
  const find = await finder(scope, trigger, of, timezone)
  const occurredAt = timeOn(day, time, timezone)
  for (let found = AT_ONCE; found === AT_ONCE; ) {
    const customerIds = find ? await find(telling) : []
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
      })),
    )
  }
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

import { currencyDigits } from '@okaeri/contract/money'
import { type Condition, findField, type Leaf } from '@okaeri/contract/segments/condition'

// For tests only: what a condition means, said a second time and as plainly as possible, person by person. The SQL is compared
// with it. It shares nothing with the SQL: days come from Intl, birthdays are counted on the calendar.

export interface Person {
  id: string
  storeCustomerId: number | null
  email: string | null
  firstName: string | null
  lastName: string | null
  displayName: string
  phone: string | null
  address: string
  tags: string[]
  /** `YYYY-MM-DD`. */
  birthday: string | null
  createdAt: Date
  ordersCount: number
  /** Minor units. */
  ordersAmount: number
  lastOrderAt: Date | null
  purchases: { productId: string; at: Date; cancelled: boolean }[]
  marketingState: string
  marketingChangedAt: Date | null
  notificationState: string
  suppressed: boolean
}

export interface Moment {
  now: Date
  timezone: string
  currency: string
}

export function matchesCondition(condition: Condition, person: Person, moment: Moment): boolean {
  if (condition.type === 'condition') return matchesLeaf(condition, person, moment)
  const matches = (child: Condition): boolean => matchesCondition(child, person, moment)
  return condition.operator === 'and' ? condition.children.every(matches) : condition.children.some(matches)
}

const fold = (text: string): string => text.normalize('NFKC').toLowerCase()

function matchesLeaf(leaf: Leaf, person: Person, moment: Moment): boolean {
  const { operator, value } = leaf
  const name = findField(leaf)?.name
  switch (name) {
    case 'email':
    case 'phone':
      return matchesText([person[name]], operator, value)
    case 'first_name':
      return matchesText([person.firstName], operator, value)
    case 'last_name':
      return matchesText([person.lastName], operator, value)
    case 'display_name':
      return matchesText([person.displayName], operator, value)
    case 'last_address':
      return matchesText([person.address], operator, value)
    case 'id':
      return matchesText(
        [person.id, person.storeCustomerId === null ? null : String(person.storeCustomerId)],
        operator,
        value,
      )
    case 'tags':
      return matchesTags(person.tags, operator, value)
    case 'birthday':
      return matchesBirthday(person.birthday, operator, value, moment)
    case 'created_at':
      return matchesInstant(person.createdAt, operator, value, moment)
    case 'last_order_at':
      return matchesInstant(person.lastOrderAt, operator, value, moment)
    case 'marketing_changed_at':
      return matchesInstant(person.marketingChangedAt, operator, value, moment)
    case 'orders_count':
      return matchesNumber(person.ordersCount, operator, value)
    case 'orders_amount':
      return matchesNumber(person.ordersAmount / 10 ** currencyDigits(moment.currency), operator, value)
    case 'product_bought':
      return matchesProduct(person.purchases, operator, value, moment)
    case 'accepts_marketing':
      return (person.marketingState === 'granted') === value
    case 'accepts_transactions':
      return (person.notificationState === 'granted') === value
    case 'suppressed':
      return person.suppressed === value
    case 'marketing_state':
      return (value as string[]).includes(person.marketingState) === (operator === 'is_one_of')
    default:
      throw new Error(`no field ${leaf.name}`)
  }
}

function matchesText(stored: (string | null)[], operator: string, value: unknown): boolean {
  const texts = stored.map((text) => fold(text ?? ''))
  const wanted = fold(String(value)).trim()
  switch (operator) {
    case 'equals':
      return texts.includes(wanted)
    case 'not_equals':
      return !texts.includes(wanted)
    case 'contains':
      return texts.some((text) => text.includes(wanted))
    case 'not_contains':
      return !texts.some((text) => text.includes(wanted))
    case 'starts_with':
      return texts.some((text) => text.startsWith(wanted))
    case 'ends_with':
      return texts.some((text) => text.endsWith(wanted))
    case 'is_set':
      return texts.some((text) => text !== '')
    case 'is_not_set':
      return texts.every((text) => text === '')
    default:
      throw new Error(operator)
  }
}

function matchesTags(tags: string[], operator: string, value: unknown): boolean {
  if (operator === 'is_set') return tags.length > 0
  if (operator === 'is_not_set') return tags.length === 0
  const wanted = (value as string[]).map((tag) => fold(tag).trim())
  const has = tags.some((tag) => wanted.includes(fold(tag)))
  return operator === 'has' ? has : !has
}

function matchesNumber(stored: number, operator: string, value: unknown): boolean {
  const [first, second] = (Array.isArray(value) ? value : [value, value]) as [number, number]
  switch (operator) {
    case 'equals':
      return stored === first
    case 'not_equals':
      return stored !== first
    case 'greater':
      return stored > first
    case 'greater_or_equal':
      return stored >= first
    case 'less':
      return stored < first
    case 'less_or_equal':
      return stored <= first
    case 'between':
      return first <= stored && stored <= second
    default:
      throw new Error(operator)
  }
}

const formats = new Map<string, Intl.DateTimeFormat>()
const days = new Map<string, string>()
export function dayIn(timezone: string, instant: Date): string {
  const key = `${timezone} ${instant.getTime()}`
  let day = days.get(key)
  if (day) return day
  let format = formats.get(timezone)
  if (!format) {
    format = new Intl.DateTimeFormat('en-CA', { timeZone: timezone, year: 'numeric', month: '2-digit', day: '2-digit' })
    formats.set(timezone, format)
  }
  day = format.format(instant)
  days.set(key, day)
  return day
}
const DAY_MS = 86_400_000
const daysBefore = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) - days * DAY_MS).toISOString().slice(0, 10)

function matchesInstant(stored: Date | null, operator: string, value: unknown, { now, timezone }: Moment): boolean {
  if (operator === 'is_not_set') return stored === null
  if (stored === null) return false
  const day = dayIn(timezone, stored)
  const today = dayIn(timezone, now)
  switch (operator) {
    case 'is_set':
      return true
    case 'before':
      return day < String(value)
    case 'after':
      return day > String(value)
    case 'on':
      return day === value
    case 'between': {
      const [from, to] = value as [string, string]
      return from <= day && day <= to
    }
    case 'within_last_days':
      return day >= daysBefore(today, Number(value)) && stored <= now
    case 'more_than_days_ago':
      return day < daysBefore(today, Number(value))
    default:
      throw new Error(operator)
  }
}

function matchesBirthday(stored: string | null, operator: string, value: unknown, { now, timezone }: Moment): boolean {
  if (operator === 'is_not_set') return stored === null
  if (stored === null) return false
  if (operator === 'is_set') return true
  if (operator === 'month_is') return Number(stored.slice(5, 7)) === value
  const today = dayIn(timezone, now)
  const thisYear = Number(today.slice(0, 4))
  const celebrated = [thisYear, thisYear + 1]
    .map((year) => `${year}-${stored.slice(5)}`)
    .map((day) => (isCalendarDay(day) ? day : day.replace('-02-29', '-02-28')))
  return celebrated.some((day) => day >= today && daysBefore(day, Number(value)) <= today)
}
const isCalendarDay = (day: string): boolean => new Date(`${day}T00:00:00Z`).toISOString().startsWith(day)

function matchesProduct(
  purchases: Person['purchases'],
  operator: string,
  value: unknown,
  { now, timezone }: Moment,
): boolean {
  const { ids, within_days } = value as { ids: string[]; within_days: number | null }
  const bought = purchases.some(
    ({ productId, at, cancelled }) =>
      ids.includes(productId) &&
      !cancelled &&
      (within_days === null || (dayIn(timezone, at) >= daysBefore(dayIn(timezone, now), within_days) && at <= now)),
  )
  return operator === 'bought' ? bought : !bought
}

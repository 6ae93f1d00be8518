import { currencyDigits } from '@okaeri/contract/money'
import {
  type Condition,
  type ConditionCategory,
  type ConditionField,
  findField,
  type InScenarioValue,
  type Leaf,
  type MailsValue,
  type OrderedValue,
  type ProductsValue,
  type ScenariosValue,
  type ThingsValue,
  type Window,
} from '@okaeri/contract/segments/condition'

// What a condition means, said a second time and as plainly as possible, person by person. The SQL is compared
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
  city: string | null
  country: string | null
  zip: string | null
  provinceCode: string | null
  tags: string[]
  /** `YYYY-MM-DD`. */
  birthday: string | null
  createdAt: Date
  orders: PlainOrder[]
  marketingState: string
  marketingChangedAt: Date | null
  notificationState: string
  notificationChangedAt: Date | null
  lineConnectedAt: Date | null
  lineBlocked: boolean
  suppressed: boolean
  mails: PlainMail[]
  lineMessages: Omit<PlainMail, 'openedAt'>[]
  checkouts: { createdAt: Date; completedAt: Date | null; total: number; productIds: string[] }[]
  carts: { changedAt: Date; convertedAt: Date | null; items: number; productIds: string[] }[]
  views: { productId: string; at: Date }[]
  cartProducts: { productId: string; at: Date; quantity: number }[]
  favorites: { productId: string; at: Date; active: boolean }[]
  restocks: { productId: string; at: Date; sentAt: Date | null }[]
  ways: PlainWay[]
  /** By id of the setting. */
  metafields: Record<string, MetafieldValue>
  scores: PlainScores | null
  /** Ids of the store platform's segments they are in. */
  remoteSegments: string[]
}
export interface PlainOrder {
  at: Date
  cancelled: boolean
  /** Minor units. */
  amount: number
  /** Not the account's: its amount is in no sum. */
  otherCurrency: boolean
  tags: string[]
  codes: string[]
  lines: { productId: string; variantId: string; quantity: number; amount: number }[]
}
export interface PlainMail {
  campaignId: string | null
  /** Neither a test nor one of a merchant in test mode, and sent. */
  counts: boolean
  sentAt: Date
  openedAt: Date | null
  clickedAt: Date | null
}
/** Through a scenario. */
export interface PlainWay {
  scenarioId: string
  test: boolean
  at: Date
  /** `reason` null: put aside by a person after it failed. */
  ended: { at: Date; reason: string | null } | null
}
export interface PlainScores {
  recency: number
  frequency: number
  monetary: number
  rfmClass: string
  /** `YYYY-MM-DD`. */
  nextOrderOn: string | null
}
export type MetafieldValue =
  | { number: number }
  | { boolean: boolean }
  | { at: Date }
  | { day: string }
  | { text: string }
  | { texts: string[] }

export interface Moment {
  now: Date
  timezone: string
  currency: string
}
/** What the ids in conditions stand for. */
export interface Shop {
  categories: readonly ConditionCategory[]
  products: ReadonlyMap<string, { vendor: string | null; tags: string[]; collectionIds: string[] }>
  /** Conditions of own segments; null for those of the store platform. */
  segments: ReadonlyMap<string, Condition | null>
}

export function matchesCondition(condition: Condition, person: Person, moment: Moment, shop: Shop): boolean {
  if (condition.type === 'condition') return matchesLeaf(condition, person, moment, shop)
  const matches = (child: Condition): boolean => matchesCondition(child, person, moment, shop)
  switch (condition.operator) {
    case 'and':
      return condition.children.every(matches)
    case 'or':
      return condition.children.some(matches)
    case 'not':
      return !condition.children.some(matches)
  }
}

const KANA = /[ァ-ヶ]/g
/** Few texts are asked about, each of them by thousands of conditions and people. */
const folded = new Map<string, string>()
function fold(text: string): string {
  let known = folded.get(text)
  if (known !== undefined) return known
  known = [...text.normalize('NFKC')]
    .map((letter) => letter.toLowerCase())
    .filter((letter) => !['\u200b', '\u200c', '\u200d', '\ufeff'].includes(letter))
    .join('')
    .replace(KANA, (kana) => String.fromCharCode(kana.charCodeAt(0) - 0x60))
  folded.set(text, known)
  return known
}
const same = (one: string, other: string): boolean => fold(one) === fold(other).trim()
const isAnyOf = (text: string, wanted: readonly string[]): boolean => wanted.some((each) => same(text, each))

const newest = (instants: readonly Date[]): Date | null =>
  instants.length === 0 ? null : new Date(Math.max(...instants.map((at) => at.getTime())))
const oldest = (instants: readonly Date[]): Date | null =>
  instants.length === 0 ? null : new Date(Math.min(...instants.map((at) => at.getTime())))
const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0)

export const standing = (person: Person): PlainOrder[] => person.orders.filter(({ cancelled }) => !cancelled)
export const counted = (person: Person): PlainMail[] => person.mails.filter(({ counts }) => counts)
export const isDate = (at: Date | null): at is Date => at !== null

function matchesLeaf(leaf: Leaf, person: Person, moment: Moment, shop: Shop): boolean {
  const { operator, value, name } = leaf
  const field = findField(leaf, shop.categories)
  if (!field) throw new Error(`no field ${name}`)
  if (leaf.category === 'metafields') return matchesMetafield(field, person.metafields[name], operator, value, moment)
  const unit = 10 ** currencyDigits(moment.currency)
  const orders = standing(person)
  const own = orders.filter(({ otherCurrency }) => !otherCurrency)
  const amount = sum(own.map((order) => order.amount))
  const mails = counted(person)
  const text = (stored: string | null): boolean => matchesText([stored], operator, value)
  const instant = (stored: Date | null): boolean => matchesInstant(stored, operator, value, moment)
  const number = (stored: number | null): boolean => matchesNumber(stored, operator, value)
  switch (name) {
    case 'email':
    case 'phone':
    case 'city':
    case 'country':
      return text(person[name])
    case 'first_name':
      return text(person.firstName)
    case 'last_name':
      return text(person.lastName)
    case 'display_name':
      return text(person.displayName)
    case 'last_address':
      return text(person.address)
    case 'id':
      return matchesText(
        [person.id, person.storeCustomerId === null ? null : String(person.storeCustomerId)],
        operator,
        value,
      )
    case 'postal_code':
      return matchesPostal(person.zip ?? '', operator, value)
    case 'prefecture':
      return matchesChoice(person.provinceCode, operator, value)
    case 'tags':
      return matchesTags(person.tags, operator, value)
    case 'birthday':
      return matchesBirthday(person.birthday, operator, value, moment)
    case 'created_at':
      return instant(person.createdAt)
    case 'first_order_at':
      return instant(oldest(orders.map(({ at }) => at)))
    case 'last_order_at':
      return instant(newest(orders.map(({ at }) => at)))
    case 'marketing_changed_at':
      return instant(person.marketingChangedAt)
    case 'notification_changed_at':
      return instant(person.notificationChangedAt)
    case 'last_sent_at':
      return instant(newest(mails.map(({ sentAt }) => sentAt)))
    case 'last_opened_at':
      return instant(newest(mails.map(({ openedAt }) => openedAt).filter(isDate)))
    case 'last_clicked_at':
      return instant(newest(mails.map(({ clickedAt }) => clickedAt).filter(isDate)))
    case 'orders_count':
      return number(orders.length)
    case 'orders_amount':
      return number(amount / unit)
    case 'average_amount':
      return matchesAverage(amount, own.length, unit, operator, value)
    case 'accepts_marketing':
      return (person.marketingState === 'granted') === value
    case 'accepts_transactions':
      return (person.notificationState === 'granted') === value
    case 'line_connected':
      return (person.lineConnectedAt !== null) === value
    case 'line_connected_at':
      return instant(person.lineConnectedAt)
    case 'line_blocked':
      return person.lineBlocked === value
    case 'suppressed':
      return person.suppressed === value
    case 'marketing_state':
      return matchesChoice(person.marketingState, operator, value)
    case 'notification_state':
      return matchesChoice(person.notificationState, operator, value)
    case 'ordered':
      return matchesOrdered(orders, operator, value as OrderedValue, moment, shop)
    case 'product_bought': {
      const { ids, within_days } = value as ProductsValue
      const bought = orders.some(
        ({ at, lines }) =>
          lines.some(({ productId }) => ids.includes(productId)) &&
          isIn(at, within_days === null ? null : { within_days }, moment),
      )
      return bought === (operator === 'bought')
    }
    case 'emails_received':
    case 'emails_opened':
    case 'emails_clicked': {
      const { campaigns, window, value: wanted } = value as MailsValue
      const at = { emails_received: 'sentAt', emails_opened: 'openedAt', emails_clicked: 'clickedAt' } as const
      const found = mails.filter((mail) => {
        const happened = mail[at[name]]
        const ofCampaign = campaigns === null || campaigns.includes(mail.campaignId ?? '')
        return happened !== null && ofCampaign && isIn(happened, window, moment)
      })
      return measures(found.length, operator, wanted)
    }
    case 'line_received':
    case 'line_clicked': {
      const { campaigns, window, value: wanted } = value as MailsValue
      const found = person.lineMessages.filter((message) => {
        const happened = name === 'line_received' ? message.sentAt : message.clickedAt
        const ofCampaign = campaigns === null || campaigns.includes(message.campaignId ?? '')
        return message.counts && happened !== null && ofCampaign && isIn(happened, window, moment)
      })
      return measures(found.length, operator, wanted)
    }
    case 'checkout_unfinished':
    case 'checkout_completed':
    case 'cart_unfinished':
    case 'cart_completed':
    case 'viewed':
    case 'in_cart':
    case 'cart_seen':
    case 'favorite':
    case 'restock_waiting':
    case 'restock_notified': {
      const { products, min_amount, window } = value as ThingsValue
      const found = thingsOf(person)[name].some(
        ({ at, productIds, amount }) =>
          (products === null || products.some((id) => productIds.includes(id))) &&
          (min_amount === null || amount >= min_amount * unit) &&
          isIn(at, window, moment),
      )
      return found === (operator === 'has')
    }
    case 'scenario_now': {
      const { scenarios } = value as InScenarioValue
      const found = ways(person, scenarios).some(({ ended }) => ended === null)
      return found === (operator === 'has')
    }
    case 'scenario_entered': {
      const { scenarios, window, value: wanted } = value as ScenariosValue
      return measures(ways(person, scenarios).filter(({ at }) => isIn(at, window, moment)).length, operator, wanted)
    }
    case 'scenario_ended': {
      const { scenarios, reasons, window, value: wanted } = value as ScenariosValue
      const ends = ways(person, scenarios).flatMap(({ ended }) => ended ?? [])
      const found = ends.filter(
        ({ at, reason }) =>
          reason !== null && (reasons === null || reasons.includes(reason)) && isIn(at, window, moment),
      )
      return measures(found.length, operator, wanted)
    }
    case 'rfm_class':
      return matchesChoice(person.scores?.rfmClass ?? null, operator, value)
    case 'rfm_recency':
    case 'rfm_frequency':
    case 'rfm_monetary': {
      const score = { rfm_recency: 'recency', rfm_frequency: 'frequency', rfm_monetary: 'monetary' } as const
      return number(person.scores?.[score[name]] ?? null)
    }
    case 'days_to_next_order': {
      const next = person.scores?.nextOrderOn ?? null
      return number(next === null ? null : daysBetween(dayIn(moment.timezone, moment.now), next))
    }
    case 'member': {
      const isIn = (value as string[]).some((id) => {
        const conditions = shop.segments.get(id)
        return conditions ? matchesCondition(conditions, person, moment, shop) : person.remoteSegments.includes(id)
      })
      return isIn === (operator === 'is_member')
    }
    default:
      throw new Error(`no field ${name}`)
  }
}

const ways = (person: Person, scenarios: readonly string[] | null): PlainWay[] =>
  person.ways.filter(({ test, scenarioId }) => !test && (scenarios === null || scenarios.includes(scenarioId)))

interface Thing {
  at: Date
  productIds: string[]
  amount: number
}
function thingsOf(person: Person): Record<string, Thing[]> & Record<ThingField, Thing[]> {
  const checkouts = person.checkouts.map((one) => ({ ...one, amount: one.total }))
  const restocks = person.restocks.map((one) => ({ ...one, productIds: [one.productId], amount: 0 }))
  return {
    checkout_unfinished: checkouts.flatMap((one) => (one.completedAt ? [] : [{ ...one, at: one.createdAt }])),
    checkout_completed: checkouts.flatMap((one) => (one.completedAt ? [{ ...one, at: one.completedAt }] : [])),
    cart_unfinished: person.carts.flatMap((one) =>
      one.convertedAt || one.items === 0 ? [] : [{ ...one, at: one.changedAt, amount: 0 }],
    ),
    cart_completed: person.carts.flatMap((one) =>
      one.convertedAt ? [{ ...one, at: one.convertedAt, amount: 0 }] : [],
    ),
    viewed: person.views.map(({ at, productId }) => ({ at, productIds: [productId], amount: 0 })),
    in_cart: person.cartProducts.flatMap(({ quantity, at, productId }) =>
      quantity > 0 ? [{ at, productIds: [productId], amount: 0 }] : [],
    ),
    cart_seen: person.cartProducts.map(({ at, productId }) => ({ at, productIds: [productId], amount: 0 })),
    favorite: person.favorites.flatMap(({ active, at, productId }) =>
      active ? [{ at, productIds: [productId], amount: 0 }] : [],
    ),
    restock_waiting: restocks.filter(({ sentAt }) => sentAt === null),
    restock_notified: restocks.flatMap((one) => (one.sentAt ? [{ ...one, at: one.sentAt }] : [])),
  }
}
type ThingField =
  | 'checkout_unfinished'
  | 'checkout_completed'
  | 'cart_unfinished'
  | 'cart_completed'
  | 'viewed'
  | 'in_cart'
  | 'cart_seen'
  | 'favorite'
  | 'restock_waiting'
  | 'restock_notified'

function matchesOrdered(
  orders: readonly PlainOrder[],
  operator: string,
  { measure, filter, window, value }: OrderedValue,
  moment: Moment,
  shop: Shop,
): boolean {
  const asksLines = [filter.products, filter.variants, filter.collections, filter.vendors, filter.product_tags].some(
    Boolean,
  )
  const fits = (line: PlainOrder['lines'][number]): boolean => {
    const product = shop.products.get(line.productId)
    return (
      (!filter.products || filter.products.includes(line.productId)) &&
      (!filter.variants || filter.variants.includes(line.variantId)) &&
      (!filter.collections || filter.collections.some((id) => product?.collectionIds.includes(id))) &&
      (!filter.vendors || isAnyOf(product?.vendor ?? '', filter.vendors)) &&
      (!filter.product_tags || (product?.tags ?? []).some((tag) => isAnyOf(tag, filter.product_tags ?? [])))
    )
  }
  const found = orders
    .filter(
      ({ at, tags, codes, otherCurrency }) =>
        isIn(at, window, moment) &&
        !(measure === 'amount' && otherCurrency) &&
        (!filter.order_tags || tags.some((tag) => isAnyOf(tag, filter.order_tags ?? []))) &&
        (!filter.discount_codes || codes.some((code) => isAnyOf(code, filter.discount_codes ?? []))),
    )
    .map((order) => ({ amount: order.amount, lines: order.lines.filter(fits) }))
    .filter(({ lines }) => !asksLines || lines.length > 0)
  const lines = found.flatMap((order) => order.lines)
  switch (measure) {
    case 'count':
      return measures(found.length, operator, value)
    case 'quantity':
      return measures(sum(lines.map(({ quantity }) => quantity)), operator, value)
    case 'amount': {
      const amount = sum((asksLines ? lines : found).map((each) => each.amount))
      return measures(amount / 10 ** currencyDigits(moment.currency), operator, value)
    }
  }
}

function measures(measured: number, operator: string, value: number | [number, number]): boolean {
  const [first, second] = typeof value === 'number' ? [value, value] : value
  switch (operator) {
    case 'at_least':
      return measured >= first
    case 'at_most':
      return measured <= first
    case 'exactly':
      return measured === first
    case 'between':
      return first <= measured && measured <= second
    default:
      throw new Error(operator)
  }
}

function isIn(at: Date, window: Window, { now, timezone }: Moment): boolean {
  if (window === null) return true
  const day = dayIn(timezone, at)
  if ('within_days' in window) return day >= daysBefore(dayIn(timezone, now), window.within_days)
  return window.from <= day && day <= window.to
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
    case 'is_one_of':
      return texts.some((text) => isAnyOf(text, value as string[]))
    case 'is_none_of':
      return !texts.some((text) => isAnyOf(text, value as string[]))
    case 'is_set':
      return stored.some((text) => text !== null && text !== '')
    case 'is_not_set':
      return stored.every((text) => text === null || text === '')
    default:
      throw new Error(operator)
  }
}

function matchesPostal(zip: string, operator: string, value: unknown): boolean {
  if (operator === 'is_set') return zip !== ''
  if (operator === 'is_not_set') return zip === ''
  const key = (text: string): string =>
    text
      .normalize('NFKC')
      .replace(/[^0-9A-Za-z]/g, '')
      .toUpperCase()
  const starts = (value as string[]).some((prefix) => key(zip).startsWith(key(prefix)))
  return starts === (operator === 'starts_with_any')
}

function matchesChoice(stored: string | null, operator: string, value: unknown): boolean {
  if (operator === 'is_set') return stored !== null
  if (operator === 'is_not_set') return stored === null
  return (stored !== null && (value as string[]).includes(stored)) === (operator === 'is_one_of')
}

function matchesTags(tags: readonly string[], operator: string, value: unknown): boolean {
  if (operator === 'is_set') return tags.length > 0
  if (operator === 'is_not_set') return tags.length === 0
  const wanted = value as string[]
  if (operator === 'has_all') return wanted.every((each) => tags.some((tag) => same(tag, each)))
  return tags.some((tag) => isAnyOf(tag, wanted)) === (operator === 'has')
}

function matchesNumber(stored: number | null, operator: string, value: unknown): boolean {
  const [first, second] = (Array.isArray(value) ? value : [value, value]) as [number, number]
  if (operator === 'is_set') return stored !== null
  if (operator === 'is_not_set') return stored === null
  if (operator === 'not_equals') return stored !== first
  if (stored === null) return false
  switch (operator) {
    case 'equals':
      return stored === first
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

/** Beside so many times the bound, in millionths, so that thirds are no matter of rounding. */
function matchesAverage(amount: number, count: number, unit: number, operator: string, value: unknown): boolean {
  if (count === 0) return matchesNumber(null, operator, value)
  const scaled = (bound: unknown): number => Math.round(Number(bound) * unit * count * 1e6)
  return matchesNumber(amount * 1e6, operator, Array.isArray(value) ? value.map(scaled) : scaled(value))
}

function matchesMetafield(
  field: ConditionField,
  stored: MetafieldValue | undefined,
  operator: string,
  value: unknown,
  moment: Moment,
): boolean {
  switch (field.type) {
    case 'number':
      return matchesNumber(stored && 'number' in stored ? stored.number : null, operator, value)
    case 'boolean': {
      const known = stored && 'boolean' in stored ? stored.boolean : null
      if (operator === 'is_set' || operator === 'is_not_set') return (known !== null) === (operator === 'is_set')
      return known === value
    }
    case 'date': {
      if (!stored || !('day' in stored))
        return matchesInstant(stored && 'at' in stored ? stored.at : null, operator, value, moment)
      return matchesDay(stored.day, dayIn(moment.timezone, moment.now), operator, value)
    }
    case 'tags':
      return matchesTags(stored && 'texts' in stored ? stored.texts : [], operator, value)
    default:
      return matchesText([stored && 'text' in stored ? stored.text : null], operator, value)
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
const daysBetween = (from: string, to: string): number =>
  (Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / DAY_MS

function matchesInstant(stored: Date | null, operator: string, value: unknown, { now, timezone }: Moment): boolean {
  if (operator === 'is_not_set') return stored === null
  if (stored === null) return false
  const within = operator !== 'within_last_days' || stored <= now
  return within && matchesDay(dayIn(timezone, stored), dayIn(timezone, now), operator, value)
}

function matchesDay(day: string, today: string, operator: string, value: unknown): boolean {
  switch (operator) {
    case 'is_set':
      return true
    case 'is_not_set':
      return false
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
      return day >= daysBefore(today, Number(value)) && day <= today
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
  if (operator === 'day_of_month_is') return Number(stored.slice(8)) === value
  const ahead = operator === 'is_today' ? 0 : Number(value)
  const today = dayIn(timezone, now)
  const thisYear = Number(today.slice(0, 4))
  const celebrated = [thisYear, thisYear + 1]
    .map((year) => `${year}-${stored.slice(5)}`)
    .map((day) => (isCalendarDay(day) ? day : day.replace('-02-29', '-02-28')))
  return celebrated.some((day) => day >= today && daysBefore(day, ahead) <= today)
}
const isCalendarDay = (day: string): boolean => new Date(`${day}T00:00:00Z`).toISOString().startsWith(day)

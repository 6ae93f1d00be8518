import type {
  InScenarioValue,
  MailsValue,
  Operator,
  OrderedValue,
  ScenariosValue,
  ThingsValue,
  Window,
} from '@okaeri/contract/segments/condition'
import { type RawBuilder, sql } from 'kysely'
import {
  among,
  hasAnyText,
  inUnits,
  minorUnit,
  not,
  type Reading,
  type Sql,
  startOfDaysAgo,
  unknownOperator,
} from './condition-comparing-sql.ts'
import { addDays, startOfDay } from './local-day.ts'

// What customers did (orders, mails, carts, favourites, ways through scenarios), as questions of their own over other tables.

export interface AskedOfScenarios {
  merchantId: string
  /** On their way at this moment; each time they entered; each time they came to an end, for whatever cause. */
  what: 'now' | 'entered' | 'ended'
  /** Ids; null: of any scenario. */
  scenarios: readonly string[] | null
  /** Of `ended`: for any of these reasons; null: for whatever reason. */
  reasons: readonly string[] | null
}
/** `from … where …`, to which more may be added with `and`; whose they are (null: nobody's), and when it happened. */
export type FoundInScenarios = Pick<Found, 'rows' | 'customer' | 'at'>

declare module '../../kernel/context.ts' {
  interface Ports {
    /** Ways through scenarios as SQL, tests left out. */
    scenariosFound: (asked: AskedOfScenarios) => FoundInScenarios
  }
}

export interface ActivityContext extends Reading {
  merchantId: string
  scenariosFound: (asked: AskedOfScenarios) => FoundInScenarios
  /** Ids of the only customers that are asked about. */
  only?: readonly string[]
}

/** Rows about customers: which, whose they are, when they happened, and what is measured of a customer's. */
export interface Found {
  /** `from … where …`. */
  rows: RawBuilder<unknown>
  customer: RawBuilder<string>
  at: RawBuilder<Date>
  measure: RawBuilder<number>
  /** That there is a row is the same as a measure of at least one. */
  counts: boolean
  /** What one of a value is in the measure: minor units of a major one. */
  unit: number
  /** An index holds all that is asked, in the order of the customers: each is then read once and put into the hash once. */
  byCustomer?: boolean
  /**
   * The same where it is kept: looked at instead of the rows. Of `c`, a row of customers, `total` is the measure, `newest` when the
   * newest row happened, given where the window has no end and only whether there is one matters. `summed`: a row for each customer,
   * with the measure as one of its values.
   */
  kept?: {
    total?: RawBuilder<number>
    since?: { newest: RawBuilder<Date | null>; start: Date }
    summed?: Pick<Found, 'rows' | 'customer' | 'measure'>
  }
}

const parts = (conditions: readonly (RawBuilder<unknown> | null)[]): RawBuilder<unknown> =>
  sql.join(
    conditions.filter((each) => each !== null),
    sql` and `,
  )
/** The customers of rows, known and wanted. */
const ofCustomers = (column: RawBuilder<string>, { only }: ActivityContext): RawBuilder<unknown> =>
  only ? sql`${column} = any(${[...only]}::uuid[])` : sql`${column} is not null`

/** Days are the merchant's, both ends included. Nothing happens in the future, so relative windows have no end. */
function inWindow(column: RawBuilder<Date>, window: Window, context: ActivityContext): RawBuilder<unknown> | null {
  if (window === null) return null
  if ('within_days' in window) return sql`${column} >= ${startOfDaysAgo(window.within_days, context)}`
  const { timezone } = context
  return sql`${column} >= ${startOfDay(window.from, timezone)} and ${column} < ${startOfDay(addDays(window.to, 1), timezone)}`
}

/** `since` of rows in a window that has no end. */
const keptSince = (newest: RawBuilder<Date | null>, window: Window, context: ActivityContext) =>
  window !== null && 'within_days' in window
    ? { since: { newest, start: startOfDaysAgo(window.within_days, context) } }
    : {}

/** Orders that were not cancelled and fit the filter; where it asks about products, the lines that fit. */
export function ordersFound(value: OrderedValue, context: ActivityContext): Found {
  const { filter, measure, window } = value
  const unit = measure === 'amount' ? minorUnit(context) : 1
  const ofLines =
    measure === 'quantity' ||
    [filter.products, filter.variants, filter.collections, filter.vendors, filter.product_tags].some(Boolean)
  if (ofLines) return linesFound(value, context, unit)
  const unfiltered = !filter.order_tags && !filter.discount_codes
  const total = measure === 'count' ? sql<number>`c.orders_count` : sql<number>`c.orders_amount`
  return {
    rows: sql`from orders o where ${parts([ordersThatStand(context), ...orderFits(filter), inWindow(sql`o.processed_at`, window, context)])}`,
    customer: sql`o.customer_id`,
    at: sql`o.processed_at`,
    measure: measure === 'count' ? sql`count(*)` : sql`sum(o.current_amount)`,
    counts: measure === 'count',
    unit,
    kept: unfiltered
      ? { ...(window === null ? { total } : {}), ...keptSince(sql`c.last_order_at`, window, context) }
      : {},
  }
}

const ordersThatStand = (context: ActivityContext): RawBuilder<unknown> =>
  sql`o.merchant_id = ${context.merchantId} and ${ofCustomers(sql`o.customer_id`, context)} and o.cancelled_at is null`

const orderFits = ({ order_tags, discount_codes }: OrderedValue['filter']): (RawBuilder<unknown> | null)[] => [
  order_tags ? hasAnyText(sql`o.tags`, order_tags) : null,
  discount_codes ? hasAnyText(sql`o.discount_codes`, discount_codes) : null,
]

/**
 * Lines know their customer and time; whether the order was cancelled is known to it alone. Cancelled orders are few and have an
 * index: they are left out, unless more is asked of the order.
 */
function linesFound({ filter, measure, window }: OrderedValue, context: ActivityContext, unit: number): Found {
  const { merchantId } = context
  const orderAsked = filter.order_tags || filter.discount_codes
  const order = orderAsked
    ? among(
        sql`l.order_id`,
        sql`select o.id from orders o
          where ${parts([ordersThatStand(context), ...orderFits(filter), inWindow(sql`o.processed_at`, window, context)])}`,
      )
    : not(
        among(
          sql`l.order_id`,
          sql`select o.id from orders o
            where o.merchant_id = ${merchantId} and o.cancelled_at is not null ${
              context.only ? sql`and ${ofCustomers(sql`o.customer_id`, context)}` : sql``
            }`,
        ),
      )
  const product = (found: RawBuilder<unknown>): RawBuilder<unknown> => sql`l.store_product_id = any(array(${found}))`
  const products = sql`select p.store_product_id from products p where p.merchant_id = ${merchantId}`
  return {
    rows: sql`from order_lines l where ${parts([
      sql`l.merchant_id = ${merchantId} and ${ofCustomers(sql`l.customer_id`, context)}`,
      filter.products ? product(sql`${products} and p.id = any(${filter.products}::uuid[])`) : null,
      filter.vendors ? product(sql`${products} and ${hasAnyText(sql`array[p.vendor]`, filter.vendors)}`) : null,
      filter.product_tags ? product(sql`${products} and ${hasAnyText(sql`p.tags`, filter.product_tags)}`) : null,
      filter.collections
        ? product(sql`select cp.store_product_id from collection_products cp
            where cp.merchant_id = ${merchantId} and cp.store_collection_id in (
              select k.store_collection_id from collections k
              where k.merchant_id = ${merchantId} and k.id = any(${filter.collections}::uuid[]))`)
        : null,
      filter.variants
        ? sql`l.store_variant_id = any(array(select v.store_variant_id from product_variants v
            where v.merchant_id = ${merchantId} and v.id = any(${filter.variants}::uuid[])))`
        : null,
      inWindow(sql`l.processed_at`, window, context),
      order,
    ])}`,
    customer: sql`l.customer_id`,
    at: sql`l.processed_at`,
    measure: {
      count: sql<number>`count(distinct l.order_id)`,
      amount: sql<number>`sum(l.amount)`,
      quantity: sql<number>`sum(l.quantity)`,
    }[measure],
    counts: measure === 'count',
    unit,
  }
}

const mailColumns = {
  emails_received: { at: 'sent_at', newest: 'last_sent_at', total: 'email_sent_count', times: 'sent' },
  emails_opened: { at: 'opened_at', newest: 'last_opened_at', total: 'opened_count', times: 'opened' },
  emails_clicked: { at: 'clicked_at', newest: 'last_clicked_at', total: 'clicked_count', times: 'clicked' },
} as const

/** How many of a customer's mails lie in the window. `width_bucket` says how many of ascending values are not above the given one. */
function mailTimes(
  times: 'sent' | 'opened' | 'clicked',
  window: Exclude<Window, null>,
  context: ActivityContext,
): Pick<Found, 'rows' | 'customer' | 'measure'> {
  const column = sql.ref(`t.${times}`)
  const before = (at: Date): RawBuilder<number> => {
    const minute = Math.floor(at.getTime() / 60_000) - 1
    return sql`width_bucket(${Math.max(-MAX_MINUTE, Math.min(MAX_MINUTE, minute))}::int, ${column})`
  }
  const { timezone } = context
  return {
    rows: sql`from customer_mail_times t where t.merchant_id = ${context.merchantId} and ${ofCustomers(sql`t.customer_id`, context)}`,
    customer: sql`t.customer_id`,
    measure:
      'within_days' in window
        ? sql`cardinality(${column}) - ${before(startOfDaysAgo(window.within_days, context))}`
        : sql`${before(startOfDay(addDays(window.to, 1), timezone))} - ${before(startOfDay(window.from, timezone))}`,
  }
}
/** Of PostgreSQL's int. */
const MAX_MINUTE = 2 ** 31 - 1

/** Mails that were sent, opened, clicked; by people, as the ledger's columns hold it. Tests never count. */
export function mailsFound(name: keyof typeof mailColumns, value: MailsValue, context: ActivityContext): Found {
  const { at, newest, total, times } = mailColumns[name]
  const column = sql.ref<Date>(`d.${at}`)
  const { campaigns, window } = value
  return {
    rows: sql`from deliveries d where ${parts([
      sql`d.merchant_id = ${context.merchantId} and ${ofCustomers(sql`d.customer_id`, context)} and ${column} is not null
        and d.status = 'sent' and d.channel = 'email' and d.kind <> 'test' and not d.test_mode`,
      campaigns ? sql`d.campaign_id = any(${campaigns}::uuid[])` : null,
      inWindow(column, window, context),
    ])}`,
    customer: sql`d.customer_id`,
    at: column,
    measure: sql`count(*)`,
    counts: true,
    unit: 1,
    kept: campaigns
      ? {}
      : {
          ...(window === null
            ? { total: sql.ref<number>(`c.${total}`) }
            : { summed: mailTimes(times, window, context) }),
          ...keptSince(sql.ref(`c.${newest}`), window, context),
        },
  }
}

export type ItemTable =
  | 'checkout_unfinished'
  | 'checkout_completed'
  | 'cart_unfinished'
  | 'cart_completed'
  | 'favorite'
  | 'restock_waiting'
  | 'restock_notified'

/** What there is of each kind, and when it happened: carts by the last change until they are ordered. */
const things: Record<ItemTable, { table: string; holds: RawBuilder<unknown>; at: string; hasLines: boolean }> = {
  checkout_unfinished: { table: 'checkouts', holds: sql`k.completed_at is null`, at: 'created_at', hasLines: true },
  checkout_completed: {
    table: 'checkouts',
    holds: sql`k.completed_at is not null`,
    at: 'completed_at',
    hasLines: true,
  },
  cart_unfinished: {
    table: 'carts',
    holds: sql`k.converted_at is null and k.items_count > 0`,
    at: 'store_updated_at',
    hasLines: true,
  },
  cart_completed: { table: 'carts', holds: sql`k.converted_at is not null`, at: 'converted_at', hasLines: true },
  favorite: { table: 'favorites', holds: sql`k.status = 'active'`, at: 'created_at', hasLines: false },
  restock_waiting: { table: 'restock_requests', holds: sql`k.status = 'active'`, at: 'created_at', hasLines: false },
  restock_notified: { table: 'restock_requests', holds: sql`k.status = 'sent'`, at: 'sent_at', hasLines: false },
}

export function itemsFound(name: ItemTable, value: ThingsValue, context: ActivityContext): Found {
  const { merchantId } = context
  const { table, holds, at, hasLines } = things[name]
  const column = sql.ref<Date>(`k.${at}`)
  const wanted = sql`any(array(
    select p.store_product_id from products p where p.merchant_id = ${merchantId} and p.id = any(${value.products}::uuid[])))`
  const withProduct = hasLines
    ? sql`exists (select from jsonb_array_elements(k.lines) as line where (line ->> 'store_product_id')::bigint = ${wanted})`
    : sql`k.store_product_id = ${wanted}`
  return {
    rows: sql`from ${sql.table(table)} k where ${parts([
      sql`k.merchant_id = ${merchantId} and ${ofCustomers(sql`k.customer_id`, context)} and ${holds}`,
      value.products ? withProduct : null,
      value.min_amount === null ? null : sql`k.total_amount >= ${inUnits(value.min_amount, minorUnit(context))}`,
      inWindow(column, value.window, context),
    ])}`,
    customer: sql`k.customer_id`,
    at: column,
    measure: sql`count(*)`,
    counts: true,
    unit: 1,
  }
}

const askedOfScenarios = { scenario_now: 'now', scenario_entered: 'entered', scenario_ended: 'ended' } as const

/** Ways through scenarios that go on, were begun, or came to an end; whoever is held out is on a way too. */
export function scenariosFound(
  name: keyof typeof askedOfScenarios,
  value: InScenarioValue & Partial<ScenariosValue>,
  context: ActivityContext,
): Found {
  const { merchantId } = context
  const { scenarios, reasons = null, window = null } = value
  const { rows, customer, at } = context.scenariosFound({
    merchantId,
    what: askedOfScenarios[name],
    scenarios,
    reasons,
  })
  return {
    rows: sql`${rows} and ${parts([ofCustomers(customer, context), inWindow(at, window, context)])}`,
    customer,
    at,
    measure: sql`count(*)`,
    counts: true,
    unit: 1,
    // Which scenario was entered stands in another index than who entered any (migration 0211).
    byCustomer: name === 'scenario_ended' || (name === 'scenario_entered' && scenarios === null),
  }
}

/** Customers who have a row. */
export function compileFound(found: Found): Sql {
  const { total, since, summed } = found.kept ?? {}
  if (total) return sql`${total} > 0`
  if (since) return sql`${since.newest} >= ${since.start}`
  if (summed)
    return among(
      sql`c.id`,
      having(found, (measure) => sql`${measure} > 0`),
    )
  const once = found.byCustomer ? sql`group by ${found.customer}` : sql``
  return among(sql`c.id`, sql`select ${found.customer} ${found.rows} ${once}`)
}

type Amount = number | readonly [number, number]

/**
 * Customers whose measure is as wanted; whoever has no rows has none of it. Where nothing is as wanted too, those with rows whose
 * measure is not are left out of everyone.
 */
export function compileMeasured(found: Found, operator: Operator, value: Amount): Sql {
  const [low, high] = boundsOf(operator, value)
  const { total } = found.kept ?? {}
  if (total) return between(total, found, low, high)
  if (low > 0) {
    if (found.counts && low <= 1 && high === null) return compileFound(found)
    return among(
      sql`c.id`,
      having(found, (measure) => between(measure, found, low, high)),
    )
  }
  if (high === null) return sql`true`
  if (found.counts && high < 1) return not(compileFound(found))
  return not(
    among(
      sql`c.id`,
      having(found, (measure) => sql`${measure} > ${inUnits(high, found.unit)}`),
    ),
  )
}

function having(
  { customer, rows, measure, kept }: Found,
  holds: (measure: RawBuilder<number>) => Sql,
): RawBuilder<unknown> {
  const summed = kept?.summed
  return summed
    ? sql`select ${summed.customer} ${summed.rows} and ${holds(summed.measure)}`
    : sql`select ${customer} ${rows} group by ${customer} having ${holds(measure)}`
}

function boundsOf(operator: Operator, value: Amount): [low: number, high: number | null] {
  const [first, second] = typeof value === 'number' ? [value, value] : value
  switch (operator) {
    case 'at_least':
      return [first, null]
    case 'at_most':
      return [0, first]
    case 'exactly':
      return [first, first]
    case 'between':
      return [first, second]
    default:
      throw unknownOperator(operator)
  }
}

function between(measure: RawBuilder<number>, { unit }: Found, low: number, high: number | null): Sql {
  const atLeast = sql<boolean>`${measure} >= ${inUnits(low, unit)}`
  return high === null ? atLeast : sql`(${atLeast} and ${measure} <= ${inUnits(high, unit)})`
}

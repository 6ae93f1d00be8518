import type { ReadValue } from '@okaeri/contract/segments/condition-routes'
import { type RawBuilder, sql } from 'kysely'

// The value of a comparison, as JSON.

/** Rows about customers: the rows, their customer and time, and the measure per customer. */
export interface CustomerRows {
  /** `from … where …`. */
  rows: RawBuilder<unknown>
  customer: RawBuilder<string>
  at: RawBuilder<Date>
  measure: RawBuilder<number>
  /** The measure counts rows, so a row exists if it is at least one. */
  counts: boolean
  /** Units of the measure per unit of the value: for money, minor units per major unit. */
  unit: number
  /** A covering index in the order of customers exists, so each customer is read and hashed once. */
  byCustomer?: boolean
  /**
   * Stored sums that are read instead of the rows. `total` is the measure of `c`, a row of customers; `newest` the time of the newest row,
   * given if the window has no end and only existence matters. `summed`: one row per customer with the measure as a column.
   */
  kept?: {
    total?: RawBuilder<number>
    since?: { newest: RawBuilder<Date | null>; start: Date }
    summed?: Pick<CustomerRows, 'rows' | 'customer' | 'measure'>
  }
}

export type Json = RawBuilder<ReadValue>
export const none = sql`jsonb_build_object('kind', 'none')`
export const orNone = (missing: RawBuilder<unknown>, value: RawBuilder<unknown>): Json =>
  sql`case when ${missing} then ${none} else ${value} end`

export const iso = (column: RawBuilder<unknown>): RawBuilder<string> =>
  sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
/** What explanations read of other tables for all customers in question, each a part of `with` and its join. */
export type JoinedReads = { query: RawBuilder<unknown>; join: RawBuilder<unknown> }[]

/**
 * This customer's part of what was found, with money in major units. All customers are read once: asked one by one without statistics, the
 * planner reads the rows of all customers again for each.
 */
export function found({ rows, customer, measure, at, unit }: CustomerRows, joined: JoinedReads): Json {
  const name = sql.ref(`found_${joined.length}`)
  joined.push({
    query: sql`${name} as materialized (
      select ${customer} as customer_id, coalesce(${measure}, 0)::numeric / ${sql.lit(unit)} as number, max(${at}) as last_at
      ${rows} group by ${customer})`,
    join: sql`left join ${name} on ${name}.customer_id = c.id`,
  })
  return sql`jsonb_build_object('kind', 'found', 'number', coalesce(${name}.number, 0), 'last_at', ${iso(sql`${name}.last_at`)})`
}

export const ofRow = (json: RawBuilder<unknown>, row: RawBuilder<unknown>): Json =>
  sql`coalesce((select ${json} ${row}), ${none})`

/** A page shows this many of a list. */
const SHOWN = 20
export const readTexts = (column: RawBuilder<unknown>): Json =>
  sql`jsonb_build_object('kind', 'texts', 'texts', (${column})[1:${sql.lit(SHOWN)}], 'count', cardinality(${column}))`

export const readDay = (column: RawBuilder<unknown>): Json =>
  orNone(sql`${column} is null`, sql`jsonb_build_object('kind', 'day', 'day', to_char(${column}, 'YYYY-MM-DD'))`)

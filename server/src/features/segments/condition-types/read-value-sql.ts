import type { ReadValue } from '@okaeri/contract/segments/condition-routes'
import { type RawBuilder, sql } from 'kysely'

// The value of a comparison, as JSON.

export type Json = RawBuilder<ReadValue>
export const none = sql`jsonb_build_object('kind', 'none')`
export const orNone = (missing: RawBuilder<unknown>, value: RawBuilder<unknown>): Json =>
  sql`case when ${missing} then ${none} else ${value} end`

export const iso = (column: RawBuilder<unknown>): RawBuilder<string> =>
  sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
/** What explanations read of other tables for all customers in question, each a part of `with` and its join. */
export type JoinedReads = { query: RawBuilder<unknown>; join: RawBuilder<unknown> }[]

export const readRow = (json: RawBuilder<unknown>, row: RawBuilder<unknown>): Json =>
  sql`coalesce((select ${json} ${row}), ${none})`

/** A page shows this many of a list. */
const SHOWN = 20
export const readTexts = (column: RawBuilder<unknown>): Json =>
  sql`jsonb_build_object('kind', 'texts', 'texts', (${column})[1:${sql.lit(SHOWN)}], 'count', cardinality(${column}))`

export const readDay = (column: RawBuilder<unknown>): Json =>
  orNone(sql`${column} is null`, sql`jsonb_build_object('kind', 'day', 'day', to_char(${column}, 'YYYY-MM-DD'))`)

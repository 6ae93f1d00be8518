import type {
  Condition,
  ConditionCategory,
  ConditionField,
  FieldNameOf,
  FieldType,
  Leaf,
  Operator,
} from '@okaeri/contract/segments/condition'
import type { RawBuilder } from 'kysely'
import type { Sql } from './comparing-sql.ts'
import type { Json, Findings } from './reading-sql.ts'

export interface AskedOfScenarios {
  merchantId: string
  /** Running now; each time they entered; each time they ended, for any reason. */
  what: 'now' | 'entered' | 'ended'
  /** Ids; null: of any scenario. */
  scenarios: readonly string[] | null
  /** For `ended`: any of these reasons; null: every reason. */
  reasons: readonly string[] | null
}
/** `from … where …`, to which more may be added with `and`; the customer (null: no customer's), and when it happened. */
export type FoundInScenarios = { rows: RawBuilder<unknown>; customer: RawBuilder<string>; at: RawBuilder<Date> }

declare module '../../../kernel/context.ts' {
  interface Ports {
    /** Ways through scenarios as SQL, tests left out. */
    scenariosFound: (asked: AskedOfScenarios) => FoundInScenarios
  }
}

/** What a condition is read against: whose customers, which calendar, what money, and which instant is now. */
export interface ConditionContext {
  merchantId: string
  /** IANA name. */
  timezone: string
  /** ISO 4217. */
  currency: string
  now: Date
  /** What can be asked, the merchant's metafields included. */
  categories: readonly ConditionCategory[]
  /** The port: executions belong to a higher floor. */
  scenariosFound: (asked: AskedOfScenarios) => FoundInScenarios
  /** Every segment that is named, directly or by one that is named; ids in lower case. */
  segments: ReadonlyMap<string, NamedSegment>
  /** Given when only a few customers are asked about: then orders and mails of others are not read. Undefined: about everyone. */
  only?: readonly string[]
}
export interface NamedSegment {
  name: string
  origin: 'own' | 'remote'
  /** Null for remote segments: who is in them is kept in segment_members. */
  conditions: Condition | null
}

/** One comparison that was found usable. */
export interface Asked<Value = Leaf['value']> {
  field: ConditionField
  operator: Operator
  value: Value
  context: ConditionContext
  /** Who is in a segment that is named. */
  isMember: (id: string) => Sql
}

/** A field as SQL, over `c`, a row of `customers`. */
export interface FieldSql {
  /** 0: a column answers; 1: other tables; 2: texts are folded, or taken out of the address. The soonest answered is asked first. */
  effort: 0 | 1 | 2
  compile: (asked: Asked) => Sql
  /** What the comparison is read from, as it is shown to explain the answer. */
  read: (asked: Asked, findings: Findings) => Json
  /** Of a date kept with the customer: its column. Who crosses the boundary of "so many days ago" overnight is a range of it. */
  boundary?: string
}
/** The same of metafields, over `m`, a row of `customer_metafields` there is; "not" is said outside. */
export interface MetafieldSql {
  compile: (asked: Asked) => Sql
  read: (asked: Asked) => Json
}

/** All that the server knows about the conditions of one field type. */
export interface ConditionTypeSql<T extends FieldType> {
  fields: Record<FieldNameOf<T>, FieldSql>
  metafield?: MetafieldSql
  /** Whether the answer hangs on what the catalogue says of a product now. */
  dependsOnCatalog?: (value: Leaf['value']) => boolean
}

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
import type { Sql } from './comparison-sql.ts'
import type { Json, JoinedReads } from './read-value-sql.ts'

export interface AskedExecutions {
  merchantId: string
  /** Running now; each time they entered; each time they ended, for any reason. */
  what: 'now' | 'entered' | 'ended'
  /** Ids; null: of any scenario. */
  scenarios: readonly string[] | null
  /** For `ended`: any of these reasons; null: every reason. */
  reasons: readonly string[] | null
}
/** `from … where …`, to which conditions can be added with `and`; the customer column (null: no customer), and the time column. */
export type ExecutionRows = { rows: RawBuilder<unknown>; customer: RawBuilder<string>; at: RawBuilder<Date> }

declare module '../../../kernel/context.ts' {
  interface Ports {
    /** Executions as SQL, without tests. */
    executionRows: (asked: AskedExecutions) => ExecutionRows
  }
}

/** What a condition is evaluated with: the merchant, calendar, currency, and the instant that counts as now. */
export interface ConditionContext {
  merchantId: string
  /** IANA name. */
  timezone: string
  /** ISO 4217. */
  currency: string
  now: Date
  /** Everything conditions can ask about, the merchant's metafields included. */
  categories: readonly ConditionCategory[]
  /** A port, because executions belong to a higher floor. */
  executionRows: (asked: AskedExecutions) => ExecutionRows
  /** Every segment that is referred to, directly or through another; ids in lower case. */
  segments: ReadonlyMap<string, ReferencedSegment>
  /** The ids of a few customers: orders and mails of others are then not read. Undefined: all customers. */
  only?: readonly string[]
}
export interface ReferencedSegment {
  name: string
  origin: 'own' | 'remote'
  /** Null for remote segments: their members are in segment_members. */
  conditions: Condition | null
}

/** One comparison that passed `checkCondition`. */
export interface CheckedComparison<Value = Leaf['value']> {
  field: ConditionField
  operator: Operator
  value: Value
  context: ConditionContext
  /** Whether the customer is a member of a segment that is referred to. */
  isMember: (id: string) => Sql
}

/** A field as SQL, over `c`, a row of `customers`. */
export interface FieldSql {
  /** 0: reads a column; 1: reads other tables; 2: folds texts, or parses the address. The cheapest come first. */
  effort: 0 | 1 | 2
  compile: (comparison: CheckedComparison) => Sql
  /** The value compared, for the explanation. */
  read: (comparison: CheckedComparison, joined: JoinedReads) => Json
  /** For a date stored with the customer: its column. The customers who cross the boundary of "so many days ago" overnight are a range of it. */
  boundary?: string
}
/** The same for metafields, over `m`, an existing row of `customer_metafields`; the caller applies "not". */
export interface MetafieldSql {
  compile: (comparison: CheckedComparison) => Sql
  read: (comparison: CheckedComparison) => Json
}

/** The server's part of one field type. */
export interface ConditionTypeSql<T extends FieldType> {
  fields: Record<FieldNameOf<T>, FieldSql>
  metafield?: MetafieldSql
  /** Whether the answer depends on the catalog as it is now. */
  dependsOnCatalog?: (value: Leaf['value']) => boolean
}

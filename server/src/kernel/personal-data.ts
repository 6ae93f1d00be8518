import { type RawBuilder, sql } from 'kysely'
import type { MerchantScope } from './merchant-scope.ts'
import type { DB } from './database/schema.ts'

export type TableName = keyof DB

/** All identifiers of a person at a merchant. The caller has collected them; the lists may be empty. */
export interface Person {
  /** Rows of `customers`. */
  readonly customerIds: readonly string[]
  /** The store's numbers. */
  readonly storeCustomerIds: readonly number[]
  /** Mail addresses in lower case. */
  readonly addresses: readonly string[]
  readonly phones: readonly string[]
  /** Full names, as they may occur in texts. */
  readonly names: readonly string[]
  readonly guestIds: readonly string[]
  /** The store's numbers of further orders of theirs, besides those of their customer rows. */
  readonly storeOrderIds: readonly number[]
  /** Replaces their ids in columns that need one; it belongs to no person. */
  readonly anonymousId: string
}

/** What a table holds about the store's customers: how a person is found in it, exported and erased. */
export interface PersonalDataEntry {
  readonly table: TableName
  /** The heading of these rows in a person's file. */
  readonly title: { readonly ja: string; readonly en: string }
  /** The rows (of `t`) about the person. */
  readonly about: (person: Person, scope: MerchantScope) => RawBuilder<unknown>
  /** True: only bookkeeping (search terms, queues), which is erased but not exported. */
  readonly isBookkeeping?: boolean
  /** Columns of our own bookkeeping, which mean nothing to the person. */
  readonly omittedColumns?: readonly string[]
  /**
   * How these rows are erased: deleted, or only made anonymous so that sums stay right (`set`, the assignments of an update on `t`), or by several
   * statements (`run`, which answers how many rows it changed). A second time changes nothing.
   */
  readonly forget:
    | 'delete'
    | { readonly set: (person: Person, scope: MerchantScope) => RawBuilder<unknown> }
    | { readonly run: (scope: MerchantScope, person: Person) => Promise<number> }
}

/** A table without personal data of customers, and why. */
export interface NoPersonalData {
  readonly table: TableName
  readonly reason: string
}

/** Personal data in files outside the database. */
export interface PersonalFiles {
  readonly files: string
  /** Returns how many files were removed or rewritten. */
  readonly forget: (scope: MerchantScope, person: Person) => Promise<number>
  /** Deletes all files of the merchant. */
  readonly erase: (scope: MerchantScope) => Promise<number>
}

/** More rows than this of one table are not exported into one file; the file says so. */
export const MAX_ROWS_EXPORTED = 20_000

/** The rows about the person as JSON values, without the merchant's id and bookkeeping. */
export async function selectPersonalData(
  scope: MerchantScope,
  { table, about, omittedColumns = [] }: PersonalDataEntry,
  person: Person,
): Promise<Record<string, unknown>[]> {
  const left = ['merchant_id', 'search_text', ...omittedColumns]
  const { rows } = await sql<{ row: Record<string, unknown> }>`
    select to_jsonb(t) - ${left}::text[] as row from ${sql.table(table)} t
    where t.merchant_id = ${scope.merchantId} and (${about(person, scope)}) limit ${MAX_ROWS_EXPORTED}
  `.execute(scope.db)
  return rows.map(({ row }) => row)
}

/** Erases the person from one table; returns how many rows changed. */
export async function erasePersonalData(
  scope: MerchantScope,
  entry: PersonalDataEntry,
  person: Person,
): Promise<number> {
  const { table, about, forget } = entry
  if (typeof forget === 'object' && 'run' in forget) return forget.run(scope, person)
  const where = sql`t.merchant_id = ${scope.merchantId} and (${about(person, scope)})`
  const { numAffectedRows } =
    forget === 'delete'
      ? await sql`delete from ${sql.table(table)} t where ${where}`.execute(scope.db)
      : await sql`update ${sql.table(table)} t set ${forget.set(person, scope)} where ${where}`.execute(scope.db)
  return Number(numAffectedRows ?? 0n)
}

/**
 * Replaces these texts, in any letter case, by `[erased]` in a column that people wrote (jsonb or text). Texts of fewer than four letters stay,
 * because they occur inside other words. Returns how many rows changed.
 */
export async function redact(
  scope: MerchantScope,
  column: { table: TableName; column: string; type: 'text' | 'jsonb' },
  texts: readonly string[],
): Promise<number> {
  const marks = texts.filter((text) => text.length >= MIN_MARK)
  if (marks.length === 0) return 0
  const pattern = marks.map((mark) => mark.replace(/[\\^$.|?*+()[\]{}]/g, String.raw`\$&`)).join('|')
  const name = sql.ref(column.column)
  const { numAffectedRows } = await sql`
    update ${sql.table(column.table)} t
    set ${name} = regexp_replace(t.${name}::text, ${pattern}, '[erased]', 'gi')${sql.raw(`::${column.type}`)}
    where t.merchant_id = ${scope.merchantId} and t.${name}::text ~* ${pattern}
  `.execute(scope.db)
  return Number(numAffectedRows ?? 0n)
}
const MIN_MARK = 4

const BATCH = 5000

/** Deletes up to 5,000 of the merchant's rows of any table; returns how many. Only for the erasure of a merchant. */
export async function eraseBatch(scope: MerchantScope, table: TableName): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from ${sql.table(table)} where merchant_id = ${scope.merchantId} and ctid = any(array(
      select ctid from ${sql.table(table)} where merchant_id = ${scope.merchantId} limit ${BATCH}
    ))
  `.execute(scope.db)
  return Number(numAffectedRows ?? 0n)
}

/** Represents a person or an address that must not be stored: an HMAC, different for each merchant. */
export const markHash = (
  scope: MerchantScope,
  kind: 'address' | 'store' | 'customer' | 'opt_out' | 'line',
  value: string,
): string => scope.context.keyring.linkMac(Buffer.from(`forgotten ${scope.merchantId} ${kind} ${value}`), HASH_BYTES)
const HASH_BYTES = 16

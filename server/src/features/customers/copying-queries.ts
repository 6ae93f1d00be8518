import type { ConsentState } from '@okaeri/contract/customers/customer'
import { sql } from 'kysely'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import type { CopiedCustomer } from './copying.ts'
import { wordsOfText } from './search-queries.ts'

export interface KnownCopy {
  id: string
  email: string | null
  firstName: string | null
  lastName: string | null
  phone: string | null
  language: string | null
  lastAddress: string
  provinceCode: string | null
  tags: string[]
  updatedAt: Date | null
  marketingState: ConsentState
  marketingChangedAt: Date | null
}

/**
 * Looked up number by number: while a first copy fills the table, the planner still takes it for small and would look at everyone for
 * each batch. Where nobody has a number between the smallest and the largest, as in a first copy, that is all it asks.
 */
export async function selectKnownCopies(
  scope: MerchantScope,
  storeCustomerIds: readonly number[],
): Promise<Map<number, KnownCopy>> {
  const sorted = storeCustomerIds.toSorted((one, other) => one - other)
  const { rows: next } = await sql<{ number: number }>`
    select store_customer_id as number from customers
    where merchant_id = ${scope.merchantId} and store_customer_id >= ${sorted[0] ?? 0}::bigint
    order by store_customer_id limit 1
  `.execute(scope.db)
  if ((next[0]?.number ?? Number.POSITIVE_INFINITY) > (sorted.at(-1) ?? 0)) return new Map()
  const { rows } = await sql<KnownCopy & { number: number }>`
    select c.store_customer_id as number, c.id, c.email, c.first_name as "firstName", c.last_name as "lastName", c.phone, c.language,
      c.last_address as "lastAddress", c.province_code as "provinceCode", c.tags, c.store_updated_at as "updatedAt",
      c.marketing_state as "marketingState", c.marketing_changed_at as "marketingChangedAt"
    from unnest(${sorted}::bigint[]) as n(number) cross join lateral (
      select * from customers where merchant_id = ${scope.merchantId} and store_customer_id = n.number limit 1
    ) c
  `.execute(scope.db)
  return new Map(rows.map(({ number, ...known }) => [number, known]))
}

/** Which of these addresses customers have who were added here and whom the store has not told of. Usually there is nobody. */
export async function strangersAreKnown(scope: MerchantScope, emailKeys: readonly string[]): Promise<Set<string>> {
  const { rows: some } = await sql`
    select from customers where merchant_id = ${scope.merchantId} and store_customer_id is null limit 1
  `.execute(scope.db)
  if (some.length === 0) return new Set()
  const { rows } = await sql<{ key: string }>`
    select email_key as key from customers
    where merchant_id = ${scope.merchantId} and email_key = any(${emailKeys}::text[]) and store_customer_id is null
  `.execute(scope.db)
  return new Set(rows.map(({ key }) => key))
}

export interface CopiedWrite extends CopiedCustomer {
  id: string
  displayName: string
  searchText: string
  lastAddress: string
}

/** No tag of the platform's holds it. */
const TAG_END = '\u001f'
/** Milliseconds cost a fraction of a date's text, here and there. */
const ms = (date: Date | null): number | null => date && date.getTime()
const stateAt = (scope: MerchantScope, { marketing }: CopiedWrite): Date | null =>
  marketing && marketing.state !== 'unknown' ? (marketing.changedAt ?? scope.now) : null

/**
 * Thousands of customers and what they are found by in one statement; who came meanwhile is left out. The caller
 * sorts them by the store's numbers, so that concurrent batches do not deadlock. Answers our ids by those numbers.
 */
export async function insertCopied(scope: MerchantScope, rows: readonly CopiedWrite[]): Promise<Map<number, string>> {
  if (rows.length === 0) return new Map()
  const column = <T>(read: (row: CopiedWrite) => T): T[] => rows.map(read)
  // Arrays of a column each: half the work for the database of rows as JSON.
  const { rows: written } = await sql<{ id: string; number: number }>`
    with put as (
      insert into customers (merchant_id, id, store_customer_id, email, email_key, first_name, last_name, display_name, phone,
        language, address, last_address, province_code, tags, tags_known_at, search_text, store_updated_at, created_at, updated_at,
        marketing_state, marketing_changed_at)
      select ${scope.merchantId}, r.id, r.number, r.email, r.email_key, r.first_name, r.last_name, r.display_name, r.phone,
        r.language, r.address, r.last_address, r.province_code, string_to_array(r.tags, ${TAG_END}), to_timestamp(r.updated_at / 1000), r.search_text,
        to_timestamp(r.updated_at / 1000), coalesce(to_timestamp(r.created_at / 1000), ${scope.now}), ${scope.now}, r.state, to_timestamp(r.state_at / 1000)
      from unnest(${column((row) => row.id)}::uuid[], ${column((row) => row.storeCustomerId)}::bigint[],
        ${column((row) => row.email)}::text[], ${column((row) => row.email?.trim().toLowerCase() ?? null)}::text[],
        ${column((row) => row.firstName)}::text[], ${column((row) => row.lastName)}::text[],
        ${column((row) => row.displayName)}::text[], ${column((row) => row.phone)}::text[],
        ${column((row) => row.language)}::text[], ${column((row) => row.address && JSON.stringify(row.address))}::jsonb[],
        ${column((row) => row.lastAddress)}::text[], ${column((row) => row.provinceCode ?? null)}::text[],
        ${column((row) => (row.tags ?? []).join(TAG_END))}::text[], ${column((row) => row.searchText)}::text[],
        ${column((row) => ms(row.updatedAt))}::float8[], ${column((row) => ms(row.createdAt))}::float8[],
        ${column((row) => row.marketing?.state ?? 'unknown')}::text[], ${column((row) => ms(stateAt(scope, row)))}::float8[]
      ) as r(id, number, email, email_key, first_name, last_name, display_name, phone, language, address, last_address, province_code, tags,
        search_text, updated_at, created_at, state, state_at)
      on conflict (merchant_id, store_customer_id) do nothing
      returning id, store_customer_id, search_text, created_at, display_name
    ), found as (
      insert into customer_search (merchant_id, customer_id, created_at, display_name, words)
      select ${scope.merchantId}, p.id, p.created_at, p.display_name, ${wordsOfText(scope, sql`p.search_text`)}
      from put p
    )
    select id, store_customer_id as number from put
  `.execute(scope.db)
  return new Map(written.map(({ id, number }) => [number, id]))
}

export async function selectStoreCustomerIds(scope: MerchantScope, after: number, limit: number): Promise<number[]> {
  const { rows } = await sql<{ number: number }>`
    select store_customer_id as number from customers
    where merchant_id = ${scope.merchantId} and store_customer_id > ${after} order by store_customer_id limit ${limit}
  `.execute(scope.db)
  return rows.map(({ number }) => number)
}

import type { ConsentState } from '@okaeri/contract/customers/customer'
import { sql } from 'kysely'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import type { CopiedCustomer } from './copying.ts'
import { markOf } from './search-queries.ts'

export interface KnownCopy {
  id: string
  email: string | null
  firstName: string | null
  lastName: string | null
  phone: string | null
  lastAddress: string
  provinceCode: string | null
  tags: string[]
  updatedAt: Date | null
  marketingState: ConsentState
  marketingChangedAt: Date | null
}

export async function selectKnownCopies(
  scope: MerchantScope,
  storeCustomerIds: readonly number[],
): Promise<Map<number, KnownCopy>> {
  const { rows } = await sql<KnownCopy & { number: number }>`
    select store_customer_id as number, id, email, first_name as "firstName", last_name as "lastName", phone,
      last_address as "lastAddress", province_code as "provinceCode", tags, store_updated_at as "updatedAt",
      marketing_state as "marketingState", marketing_changed_at as "marketingChangedAt"
    from customers
    where merchant_id = ${scope.merchantId} and store_customer_id = any(${storeCustomerIds}::bigint[])
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

/**
 * Thousands of customers and what they are found by in one statement; who came meanwhile is left out. Sorted by the store's numbers, so
 * that concurrent batches do not deadlock. Answers our ids by those numbers.
 */
export async function insertCopied(scope: MerchantScope, rows: readonly CopiedWrite[]): Promise<Map<number, string>> {
  if (rows.length === 0) return new Map()
  const records = rows.map((row) => ({
    id: row.id,
    n: row.storeCustomerId,
    email: row.email,
    email_key: row.email?.trim().toLowerCase() ?? null,
    first_name: row.firstName,
    last_name: row.lastName,
    display_name: row.displayName,
    phone: row.phone,
    language: row.language,
    address: row.address,
    last_address: row.lastAddress,
    province_code: row.provinceCode ?? null,
    tags: row.tags ?? [],
    search_text: row.searchText,
    at: row.updatedAt,
    created_at: row.createdAt,
    state: row.marketing?.state ?? 'unknown',
    state_at: row.marketing && row.marketing.state !== 'unknown' ? (row.marketing.changedAt ?? scope.now) : null,
  }))
  const { rows: written } = await sql<{ id: string; number: number }>`
    with put as (
      insert into customers (merchant_id, id, store_customer_id, email, email_key, first_name, last_name, display_name, phone,
        language, address, last_address, province_code, tags, tags_known_at, search_text, store_updated_at, created_at, updated_at,
        marketing_state, marketing_changed_at)
      select ${scope.merchantId}, r.id, r.n, r.email, r.email_key, r.first_name, r.last_name, r.display_name, r.phone, r.language,
        r.address, r.last_address, r.province_code, r.tags, r.at, r.search_text, r.at, coalesce(r.created_at, ${scope.now}),
        ${scope.now}, r.state, r.state_at
      from json_to_recordset(${JSON.stringify(records)}::json) as r(id uuid, n bigint, email text, email_key text, first_name text,
        last_name text, display_name text, phone text, language text, address jsonb, last_address text, province_code text,
        tags text[], search_text text, at timestamptz, created_at timestamptz, state text, state_at timestamptz)
      order by r.n
      on conflict (merchant_id, store_customer_id) do nothing
      returning id, store_customer_id, search_text
    ), found as (
      insert into customer_search (merchant_id, customer_id, words)
      select ${scope.merchantId}, p.id, array_to_tsvector(array(
        select distinct ${markOf(scope)} || word from unnest(string_to_array(p.search_text, ' ')) as word where word <> ''))
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

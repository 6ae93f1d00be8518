import type { ConsentState } from '@okaeri/contract/customers/customer'
import { sql } from 'kysely'
import type { MerchantScope } from '../../../kernel/merchant-scope.ts'

export interface KnownCopy {
  id: string
  email: string | null
  firstName: string | null
  lastName: string | null
  phone: string | null
  language: string | null
  /** The customer chose it here, and the store does not have it yet. */
  languageUnsent: boolean
  lastAddress: string
  provinceCode: string | null
  tags: string[]
  updatedAt: Date | null
  marketingState: ConsentState
  marketingChangedAt: Date | null
}

/**
 * Looked up number by number: while a first copy fills the table, the planner still believes it is small and would read all rows for each
 * batch. If no row has a number between the smallest and the largest, as in a first copy, that is its only question.
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
      c.language_unsent as "languageUnsent", c.last_address as "lastAddress", c.province_code as "provinceCode", c.tags, c.store_updated_at as "updatedAt",
      c.marketing_state as "marketingState", c.marketing_changed_at as "marketingChangedAt"
    from unnest(${sorted}::bigint[]) as n(number) cross join lateral (
      select * from customers where merchant_id = ${scope.merchantId} and store_customer_id = n.number limit 1
    ) c
  `.execute(scope.db)
  return new Map(rows.map(({ number, ...known }) => [number, known]))
}

/** Whether one of these addresses belongs to a customer who was added here and is unknown to the store. Usually none does. */
export async function strangersAreKnown(
  scope: MerchantScope,
  emailKeys: () => readonly string[],
): Promise<Set<string>> {
  const { rows: some } = await sql`
    select from customers where merchant_id = ${scope.merchantId} and store_customer_id is null limit 1
  `.execute(scope.db)
  if (some.length === 0) return new Set()
  const { rows } = await sql<{ key: string }>`
    select email_key as key from customers
    where merchant_id = ${scope.merchantId} and email_key = any(${emailKeys()}::text[]) and store_customer_id is null
  `.execute(scope.db)
  return new Set(rows.map(({ key }) => key))
}

/** A page of the store's numbers of our customers, in order. */
export async function selectStoreCustomerIds(scope: MerchantScope, after: number, limit: number): Promise<number[]> {
  const { rows } = await sql<{ number: number }>`
    select store_customer_id as number from customers
    where merchant_id = ${scope.merchantId} and store_customer_id > ${after} order by store_customer_id limit ${limit}
  `.execute(scope.db)
  return rows.map(({ number }) => number)
}

import { sql } from 'kysely'
import type { MerchantScope } from '../../../kernel/merchant-scope.ts'
import type { ImportMarks } from './imported-person.ts'

export interface ImportTarget {
  id: string
  storeCustomerId: number | null
  email: string | null
  emailKey: string | null
  firstName: string | null
  lastName: string | null
  phone: string | null
  language: string | null
  birthday: string | null
  tags: string[]
  address: Record<string, string | null> | null
  provinceCode: string | null
  note: string | null
  imported: ImportMarks | null
  /** Shows whether the row was written meanwhile. Text, because JavaScript's dates have no microseconds. */
  version: string
}

/** One import at a time writes a merchant's customers: the address is not a key, so only this lock prevents duplicates. */
export async function lockImporting(scope: MerchantScope): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`import ${scope.merchantId}`}, 0))`.execute(scope.db)
}

const targets = sql`
  select id, store_customer_id as "storeCustomerId", email, email_key as "emailKey", first_name as "firstName",
    last_name as "lastName", phone, language, birthday, tags, address, province_code as "provinceCode", note, imported,
    updated_at::text as version`

/**
 * Customers that rows of an import may mean, by the store's number or by address, the oldest first. Looked up one by one: while an import
 * fills the table, the planner still believes it is small and would read all customers for each batch. Commits do not wait for the disk:
 * batch and position can only be lost together.
 */
export async function selectTargets(
  scope: MerchantScope,
  { storeIds, emailKeys }: { storeIds: readonly number[]; emailKeys: readonly string[] },
): Promise<ImportTarget[]> {
  const { rows: planned } = await sql<{ hasStore: boolean }>`
    select set_config('enable_seqscan', 'off', true), set_config('synchronous_commit', 'off', true), exists (
      select from customers where merchant_id = ${scope.merchantId} and store_customer_id is not null
    ) as "hasStore"
  `.execute(scope.db)
  const numbers = planned[0]?.hasStore ? storeIds : []
  const found = new Map<string, ImportTarget>()
  if (emailKeys.length > 0) {
    const { rows } = await sql<ImportTarget>`
      ${targets} from unnest(${emailKeys}::text[]) as k(wanted) cross join lateral (
        select * from customers where merchant_id = ${scope.merchantId} and email_key = k.wanted offset 0
      ) c order by created_at, id
    `.execute(scope.db)
    for (const row of rows) found.set(row.id, row)
  }
  if (numbers.length > 0) {
    const { rows } = await sql<ImportTarget>`
      ${targets} from unnest(${numbers}::bigint[]) as k(wanted) cross join lateral (
        select * from customers where merchant_id = ${scope.merchantId} and store_customer_id = k.wanted limit 1
      ) c
    `.execute(scope.db)
    for (const row of rows) found.set(row.id, row)
  }
  return [...found.values()]
}

export interface ImportWrite {
  id: string
  email: string | null
  emailKey: string | null
  firstName: string | null
  lastName: string | null
  displayName: string
  phone: string | null
  language: string | null
  birthday: string | null
  tags: readonly string[]
  address: Readonly<Record<string, string | null>> | null
  lastAddress: string
  provinceCode: string | null
  note: string | null
  searchText: string
  imported: ImportMarks
  version: string
}

const record =
  sql.raw(`r(id uuid, email text, "emailKey" text, "firstName" text, "lastName" text, "displayName" text, phone text,
  language text, birthday date, tags text[], address jsonb, "lastAddress" text, "provinceCode" text, note text, "searchText" text,
  imported jsonb, version timestamptz)`)

/** Returns how many had not changed since they were read. */
export async function updateImported(scope: MerchantScope, rows: readonly ImportWrite[]): Promise<number> {
  const { rows: written } = await sql`
    update customers c set first_name = r."firstName", last_name = r."lastName", display_name = r."displayName", phone = r.phone,
      language = r.language, birthday = r.birthday, tags = r.tags, address = r.address, last_address = r."lastAddress",
      province_code = r."provinceCode", note = r.note, search_text = r."searchText", imported = r.imported,
      updated_at = greatest(${scope.now}::timestamptz, r.next_version)
    from (select *, version + interval '1 microsecond' as next_version from json_to_recordset(${JSON.stringify(rows)}::json) as ${record}) as r
    where c.merchant_id = ${scope.merchantId} and c.id = r.id and c.updated_at = r.version
    returning c.id
  `.execute(scope.db)
  return written.length
}

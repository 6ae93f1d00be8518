import { sql } from 'kysely'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import type { ImportMarks } from './imported-person.ts'
import { wordsOfText } from './search-queries.ts'

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
  /** As text: it tells whether somebody wrote meanwhile, and JavaScript's dates have no microseconds. */
  version: string
}

/** One import at a time writes a merchant's customers: the address is no key, so only so nobody is created twice. */
export async function lockImporting(scope: MerchantScope): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`import ${scope.merchantId}`}, 0))`.execute(scope.db)
}

const targets = sql`
  select id, store_customer_id as "storeCustomerId", email, email_key as "emailKey", first_name as "firstName",
    last_name as "lastName", phone, language, birthday, tags, address, province_code as "provinceCode", note, imported,
    updated_at::text as version`

/**
 * Whom rows of an import may mean, by the store's number or by address, the oldest first. Looked up one by one: while an import
 * fills the table, the planner still takes it for small and would read all customers for each batch. Nothing here
 * waits for the disk: batch and position are lost together, if at all.
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
  marketing: string
  notification: string
  /** Null for a new one. */
  version: string | null
}

const record =
  sql.raw(`r(id uuid, email text, "emailKey" text, "firstName" text, "lastName" text, "displayName" text, phone text,
  language text, birthday date, tags text[], address jsonb, "lastAddress" text, "provinceCode" text, note text, "searchText" text,
  imported jsonb, marketing text, notification text, version text)`)

/** No tag of a file holds it: it stands between two. */
const TAG_END = '\n'

/** With what they are found by, in one statement; as arrays of a column each, as `insertCopied` does. */
export async function insertImported(scope: MerchantScope, rows: readonly ImportWrite[]): Promise<void> {
  const column = <T>(read: (row: ImportWrite) => T): T[] => rows.map(read)
  await sql`
    with put as (
      insert into customers (merchant_id, id, email, email_key, first_name, last_name, display_name, phone, language, birthday, tags,
        address, last_address, province_code, note, search_text, imported, marketing_state, marketing_changed_at, notification_state,
        notification_changed_at, created_at, updated_at)
      select ${scope.merchantId}, r.id, r.email, r.email_key, r.first_name, r.last_name, r.display_name, r.phone, r.language,
        r.birthday, string_to_array(r.tags, ${TAG_END}), r.address, r.last_address, r.province_code, r.note, r.search_text, r.imported,
        r.marketing, case when r.marketing <> 'unknown' then ${scope.now}::timestamptz end,
        r.notification, case when r.notification <> 'unknown' then ${scope.now}::timestamptz end, ${scope.now}, ${scope.now}
      from unnest(${column((row) => row.id)}::uuid[], ${column((row) => row.email)}::text[], ${column((row) => row.emailKey)}::text[],
        ${column((row) => row.firstName)}::text[], ${column((row) => row.lastName)}::text[],
        ${column((row) => row.displayName)}::text[], ${column((row) => row.phone)}::text[],
        ${column((row) => row.language)}::text[], ${column((row) => row.birthday)}::date[],
        ${column((row) => row.tags.join(TAG_END))}::text[], ${column((row) => row.address && JSON.stringify(row.address))}::jsonb[],
        ${column((row) => row.lastAddress)}::text[], ${column((row) => row.provinceCode)}::text[],
        ${column((row) => row.note)}::text[], ${column((row) => row.searchText)}::text[],
        ${column((row) => JSON.stringify(row.imported))}::jsonb[], ${column((row) => row.marketing)}::text[],
        ${column((row) => row.notification)}::text[]
      ) as r(id, email, email_key, first_name, last_name, display_name, phone, language, birthday, tags, address, last_address,
        province_code, note, search_text, imported, marketing, notification)
      returning id, search_text, created_at, display_name
    )
    insert into customer_search (merchant_id, customer_id, created_at, display_name, words)
    select ${scope.merchantId}, p.id, p.created_at, p.display_name, ${wordsOfText(scope, sql`p.search_text`)} from put p
  `.execute(scope.db)
}

/** Answers how many were as they had been read. */
export async function updateImported(scope: MerchantScope, rows: readonly ImportWrite[]): Promise<number> {
  const { rows: written } = await sql`
    update customers c set first_name = r."firstName", last_name = r."lastName", display_name = r."displayName", phone = r.phone,
      language = r.language, birthday = r.birthday, tags = r.tags, address = r.address, last_address = r."lastAddress",
      province_code = r."provinceCode", note = r.note, search_text = r."searchText", imported = r.imported,
      updated_at = greatest(${scope.now}::timestamptz, c.updated_at + interval '1 microsecond')
    from json_to_recordset(${JSON.stringify(rows)}::json) as ${record}
    where c.merchant_id = ${scope.merchantId} and c.id = r.id and c.updated_at = r.version::timestamptz
    returning c.id
  `.execute(scope.db)
  return written.length
}

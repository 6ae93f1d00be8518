import type { CustomerViewSearch } from '@okaeri/contract/customers/view'
import { sql } from 'kysely'
import type { MerchantScope } from '../../../kernel/merchant-scope.ts'

export interface ViewFields {
  name: string
  search: CustomerViewSearch
  shared: boolean
}

const PAGE = 'customers'

export interface ViewRow {
  id: string
  memberId: string | null
  name: string
  search: unknown
  createdAt: Date
}
const columns = sql`id, member_id as "memberId", name, search, created_at as "createdAt"`
const visible = (scope: MerchantScope) =>
  sql`merchant_id = ${scope.merchantId} and page = ${PAGE} and (member_id is null or member_id = ${scope.memberId})`

export async function selectViews(scope: MerchantScope): Promise<ViewRow[]> {
  const { rows } = await sql<ViewRow>`
    select ${columns} from saved_views where ${visible(scope)} order by name, id
  `.execute(scope.db)
  return rows
}

/** Views of all members; no other transaction can add one until this ends. */
export async function countViews(scope: MerchantScope): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${scope.merchantId} views`}, 0))`.execute(scope.db)
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from saved_views where merchant_id = ${scope.merchantId} and page = ${PAGE}
  `.execute(scope.db)
  return rows[0]?.count ?? 0
}

export async function insertView(scope: MerchantScope, id: string, fields: ViewFields): Promise<ViewRow> {
  const { rows } = await sql<ViewRow>`
    insert into saved_views (merchant_id, id, member_id, page, name, search, created_at)
    values (${scope.merchantId}, ${id}, ${fields.shared ? null : scope.memberId}, ${PAGE}, ${fields.name},
      ${JSON.stringify(fields.search)}, ${scope.now})
    returning ${columns}
  `.execute(scope.db)
  return rows[0] as ViewRow
}

export async function updateView(scope: MerchantScope, id: string, fields: ViewFields): Promise<ViewRow | null> {
  const { rows } = await sql<ViewRow>`
    update saved_views set member_id = ${fields.shared ? null : scope.memberId}, name = ${fields.name},
      search = ${JSON.stringify(fields.search)}
    where ${visible(scope)} and id = ${id} returning ${columns}
  `.execute(scope.db)
  return rows[0] ?? null
}

export async function deleteView(scope: MerchantScope, id: string): Promise<boolean> {
  const { rows } = await sql`delete from saved_views where ${visible(scope)} and id = ${id} returning id`.execute(
    scope.db,
  )
  return rows.length > 0
}

import { sql } from 'kysely'
import type { MerchantScope, TransactionScope } from '../../kernel/merchant-scope.ts'

export interface ComponentRow {
  id: string
  key: string
  name: string
  content: string
  /** Keys of the components whose tags stand in it. */
  components: string[]
  created_at: Date
  updated_at: Date
}
export type ComponentSummaryRow = Omit<ComponentRow, 'content' | 'components'>

const summaryColumns = sql`c.id, c.key, c.name, c.created_at, c.updated_at`

export async function findComponentRow(
  scope: MerchantScope,
  id: string,
  { lock }: { lock: boolean } = { lock: false },
): Promise<ComponentRow | null> {
  const { rows } = await sql<ComponentRow>`select ${summaryColumns}, c.content, c.components from email_components c
    where c.merchant_id = ${scope.merchantId} and c.id = ${id} ${lock ? sql`for update` : sql``}`.execute(scope.db)
  return rows[0] ?? null
}

/** Those of these keys that exist. `forShare`: none of them can be deleted until the transaction ends. */
export async function listComponentContents(
  scope: MerchantScope,
  keys: readonly string[],
  { forShare }: { forShare: boolean } = { forShare: false },
): Promise<Pick<ComponentRow, 'id' | 'key' | 'name' | 'content' | 'components'>[]> {
  const { rows } = await sql<Pick<ComponentRow, 'id' | 'key' | 'name' | 'content' | 'components'>>`
    select id, key, name, content, components from email_components
    where merchant_id = ${scope.merchantId} and key = any(${[...keys]}::text[])
    order by key ${forShare ? sql`for share` : sql``}`.execute(scope.db)
  return rows
}

export interface ComponentLinks {
  id: string
  key: string
  name: string
  components: string[]
}
/** All of the merchant, without what they say. `lock`: who else saves or deletes one waits, so that no circle comes about. */
export async function listComponentLinks(
  scope: MerchantScope,
  { lock }: { lock: boolean } = { lock: false },
): Promise<ComponentLinks[]> {
  const { rows } = await sql<ComponentLinks>`select id, key, name, components from email_components
    where merchant_id = ${scope.merchantId} order by id ${lock ? sql`for update` : sql``}`.execute(scope.db)
  return rows
}

export interface EmailLinks {
  id: string
  name: string
  components: string[]
}
/** The emails in which any component stands. */
export async function listEmailLinks(scope: MerchantScope): Promise<EmailLinks[]> {
  const { rows } = await sql<EmailLinks>`select id, name, components from emails
    where merchant_id = ${scope.merchantId} and deleted_at is null and components <> '{}'
    order by created_at desc, id desc`.execute(scope.db)
  return rows
}

export type NewComponent = Omit<ComponentRow, 'created_at' | 'updated_at'>
/** Returns whether the key was free. */
export async function insertComponent(scope: TransactionScope, component: NewComponent): Promise<boolean> {
  const { rows } = await sql`
    insert into email_components (merchant_id, id, key, name, content, components, created_at, updated_at)
    values (${scope.merchantId}, ${component.id}, ${component.key}, ${component.name}, ${component.content},
      ${component.components}, ${scope.now}, ${scope.now})
    on conflict (merchant_id, key) do nothing returning id`.execute(scope.db)
  return rows.length > 0
}

export async function updateComponent(
  scope: TransactionScope,
  { id, name, content, components }: Pick<ComponentRow, 'id' | 'name' | 'content' | 'components'>,
): Promise<void> {
  await scope.db
    .updateTable('email_components')
    .set({ name, content, components, updated_at: scope.now })
    .where('merchant_id', '=', scope.merchantId)
    .where('id', '=', id)
    .execute()
}

/** No message points at it: what was frozen holds what it said. */
export async function deleteComponentRow(scope: TransactionScope, id: string): Promise<void> {
  await scope.db
    .deleteFrom('email_components')
    .where('merchant_id', '=', scope.merchantId)
    .where('id', '=', id)
    .execute()
}

export type ComponentSort = 'created_at' | 'updated_at' | 'name'
const sortColumns: Record<ComponentSort, ReturnType<typeof sql>> = {
  created_at: sql`c.created_at`,
  updated_at: sql`c.updated_at`,
  name: sql`c.name`,
}

export async function selectComponents(
  scope: MerchantScope,
  query: { q?: string | undefined; sort: ComponentSort; direction: 'asc' | 'desc'; limit: number; offset: number },
): Promise<{ rows: ComponentSummaryRow[]; total: number }> {
  const pattern = query.q?.trim() ? `%${query.q.trim().replace(/[\\%_]/g, '\\$&')}%` : null
  const where = sql`c.merchant_id = ${scope.merchantId}
    and (${pattern}::text is null or c.name ilike ${pattern} or c.key ilike ${pattern})`
  const direction = query.direction === 'asc' ? sql`asc` : sql`desc`
  const [page, count] = await Promise.all([
    sql<ComponentSummaryRow>`select ${summaryColumns} from email_components c where ${where}
      order by ${sortColumns[query.sort]} ${direction}, c.created_at desc, c.id desc
      limit ${query.limit} offset ${query.offset}`.execute(scope.db),
    sql<{ total: number }>`select count(*)::int as total from email_components c where ${where}`.execute(scope.db),
  ])
  return { rows: page.rows, total: count.rows[0]?.total ?? 0 }
}

/** Components in which this text stands, such as a picture's address. */
export async function listComponentsShowing(
  scope: MerchantScope,
  text: string,
): Promise<{ id: string; name: string }[]> {
  const { rows } = await sql<{ id: string; name: string }>`select id, name from email_components
    where merchant_id = ${scope.merchantId} and strpos(content, ${text}) > 0
    order by created_at desc, id desc`.execute(scope.db)
  return rows
}

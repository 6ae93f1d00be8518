import type { LineAction, LineMessagePart } from '@okaeri/contract/line-messages/message'
import { sql } from 'kysely'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'

export interface LineMessageRow {
  id: string
  name: string
  messages: LineMessagePart[]
  quick_replies: LineAction[]
  created_at: Date
  updated_at: Date
}
/** Without those that are deleted. */
export async function listLineContents(
  scope: MerchantScope,
  ids: readonly string[],
): Promise<Pick<LineMessageRow, 'id' | 'messages' | 'quick_replies'>[]> {
  const { rows } = await sql<LineMessageRow>`select id, messages, quick_replies from line_messages
    where merchant_id = ${scope.merchantId} and id = any(${[...ids]}::uuid[]) and deleted_at is null`.execute(scope.db)
  return rows
}

export interface LineMessageSort {
  sort: 'created_at' | 'updated_at' | 'name'
  direction: 'asc' | 'desc'
}

const columns = sql`id, name, messages, quick_replies, created_at, updated_at`

/** Null: there is none, or it is deleted. */
export async function findLineMessage(
  scope: MerchantScope,
  id: string,
  { lock }: { lock: boolean } = { lock: false },
): Promise<LineMessageRow | null> {
  const { rows } = await sql<LineMessageRow>`select ${columns} from line_messages
    where merchant_id = ${scope.merchantId} and id = ${id} and deleted_at is null
    ${lock ? sql`for update` : sql``}`.execute(scope.db)
  return rows[0] ?? null
}

const sortColumns = {
  created_at: sql`created_at`,
  updated_at: sql`updated_at`,
  name: sql`name`,
}

export async function selectLineMessages(
  scope: MerchantScope,
  query: LineMessageSort & { q?: string | undefined; limit: number; offset: number },
): Promise<{ rows: LineMessageRow[]; total: number }> {
  const pattern = query.q?.trim() ? `%${query.q.trim().replace(/[\\%_]/g, '\\$&')}%` : null
  const where = sql`merchant_id = ${scope.merchantId} and deleted_at is null
    and (${pattern}::text is null or name ilike ${pattern})`
  const direction = query.direction === 'asc' ? sql`asc` : sql`desc`
  const [page, count] = await Promise.all([
    sql<LineMessageRow>`select ${columns} from line_messages where ${where}
      order by ${sortColumns[query.sort]} ${direction}, created_at desc, id desc
      limit ${query.limit} offset ${query.offset}`.execute(scope.db),
    sql<{ total: number }>`select count(*)::int as total from line_messages where ${where}`.execute(scope.db),
  ])
  return { rows: page.rows, total: count.rows[0]?.total ?? 0 }
}

type Written = Pick<LineMessageRow, 'id' | 'name' | 'messages' | 'quick_replies'>
const json = ({ id, name, messages, quick_replies }: Written) => ({
  id,
  name,
  messages: JSON.stringify(messages),
  quick_replies: JSON.stringify(quick_replies),
})

export async function insertLineMessage(scope: MerchantScope, written: Written): Promise<void> {
  await scope.db
    .insertInto('line_messages')
    .values({ ...json(written), merchant_id: scope.merchantId, created_at: scope.now, updated_at: scope.now })
    .execute()
}

export async function updateLineMessage(scope: MerchantScope, written: Written): Promise<void> {
  const { id, ...changed } = json(written)
  await scope.db
    .updateTable('line_messages')
    .set({ ...changed, updated_at: scope.now })
    .where('merchant_id', '=', scope.merchantId)
    .where('id', '=', id)
    .execute()
}

/** What was sent keeps pointing at it, so the row stays. */
export async function markLineMessageDeleted(scope: MerchantScope, id: string): Promise<void> {
  await scope.db
    .updateTable('line_messages')
    .set({ deleted_at: scope.now })
    .where('merchant_id', '=', scope.merchantId)
    .where('id', '=', id)
    .execute()
}

/** Messages in which this text stands, such as a picture's address. */
export async function listLineMessagesShowing(
  scope: MerchantScope,
  text: string,
): Promise<{ id: string; name: string }[]> {
  const { rows } = await sql<{ id: string; name: string }>`select id, name from line_messages
    where merchant_id = ${scope.merchantId} and deleted_at is null and strpos(messages::text, ${text}) > 0
    order by created_at desc, id desc`.execute(scope.db)
  return rows
}

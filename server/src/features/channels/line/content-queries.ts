import { type RawBuilder, sql } from 'kysely'
import type { LineMessage } from '../../../integrations/line/index.ts'
import { inAnHour } from '../../../kernel/work/due-merchants.ts'
import type { MerchantScope, TransactionScope } from '../../../kernel/merchant-scope.ts'

/** What a message of LINE says, as it was frozen. */
export interface FrozenLine {
  messages: LineMessage[]
  /** It says something of its own to each person. */
  is_personal: boolean
  /** The name the platform counts it under; null: it does not. */
  unit: string | null
}

export async function insertLine(scope: TransactionScope, messageId: string, content: FrozenLine): Promise<void> {
  await scope.db
    .insertInto('line_contents')
    .values({
      merchant_id: scope.merchantId,
      message_id: messageId,
      messages: JSON.stringify(content.messages),
      is_personal: content.is_personal,
      unit: content.unit,
      opened_due_at: content.unit === null ? null : inAnHour(scope.now),
    })
    .execute()
}

export async function deleteLine(scope: TransactionScope, messageId: string): Promise<void> {
  await scope.db
    .deleteFrom('line_contents')
    .where('merchant_id', '=', scope.merchantId)
    .where('message_id', '=', messageId)
    .execute()
}

export async function copyLine(scope: TransactionScope, fromId: string, toId: string): Promise<void> {
  const content = await findFrozenLine(scope, fromId)
  if (content) await insertLine(scope, toId, content)
}

export async function findFrozenLine(scope: MerchantScope, messageId: string): Promise<FrozenLine | null> {
  const { rows } = await sql<FrozenLine>`
    select messages, is_personal, case when not unit_refused then unit end as unit from line_contents
    where merchant_id = ${scope.merchantId} and message_id = ${messageId}`.execute(scope.db)
  return rows[0] ?? null
}

/** The friends who get the messages of test mode. */
export async function listTesters(scope: MerchantScope): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select line_user_id as id from line_friends
    where merchant_id = ${scope.merchantId} and is_tester and is_friend order by line_user_id`.execute(scope.db)
  return rows.map(({ id }) => id)
}

export async function listTesterNames(scope: MerchantScope): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select coalesce(display_name, line_user_id) as name from line_friends
    where merchant_id = ${scope.merchantId} and is_tester and is_friend order by line_user_id`.execute(scope.db)
  return rows.map(({ name }) => name)
}

/** Whether a test may go there: to friends alone. */
export const isFriend = (merchantId: string, lineUserId: RawBuilder<string>): RawBuilder<boolean> => sql`exists (
  select from line_friends f where f.merchant_id = ${merchantId} and f.line_user_id = ${lineUserId} and f.is_friend)`

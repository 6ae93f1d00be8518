import { normalizeEmail } from '@okaeri/contract/fields'
import type { SavedSender } from '@okaeri/contract/merchants/senders'
import { sql } from 'kysely'
import { newId } from '../../kernel/ids.ts'
import type { MerchantScope, TransactionScope } from '../../kernel/merchant-scope.ts'

/** By age. */
export async function selectSenders(scope: MerchantScope): Promise<SavedSender[]> {
  const { rows } = await sql<SavedSender>`
    select id, name, email, reply_to from senders where merchant_id = ${scope.merchantId} order by created_at, id`.execute(
    scope.db,
  )
  return rows
}

/** One with this address gets the name and the address for answers. */
export async function upsertSender(scope: TransactionScope, sender: Omit<SavedSender, 'id'>): Promise<void> {
  await sql`
    insert into senders (merchant_id, id, name, email, email_key, reply_to, created_at)
    values (${scope.merchantId}, ${newId()}, ${sender.name}, ${sender.email}, ${normalizeEmail(sender.email)}, ${sender.reply_to}, ${scope.now})
    on conflict (merchant_id, email_key) do update set name = excluded.name, email = excluded.email, reply_to = excluded.reply_to`.execute(
    scope.db,
  )
}

/** Returns whether it was there. */
export async function deleteSenderRow(scope: MerchantScope, id: string): Promise<boolean> {
  const { rows } = await sql`
    delete from senders where merchant_id = ${scope.merchantId} and id = ${id} returning 1`.execute(scope.db)
  return rows.length > 0
}

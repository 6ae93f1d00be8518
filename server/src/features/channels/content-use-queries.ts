import { sql } from 'kysely'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { frozenMails } from './email/content-sql.ts'

/** Messages of both kinds whose frozen content holds this text: what was sent, and what is about to be. */
export async function countMessagesShowing(scope: MerchantScope, text: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`select (
      select count(*)::int from ${frozenMails(scope.merchantId)} f where strpos(f.html, ${text}) > 0 or exists (
        select from email_content_variants v
        where v.merchant_id = ${scope.merchantId} and v.message_id = f.message_id and strpos(v.html, ${text}) > 0)
    ) + (
      select count(*)::int from line_contents where merchant_id = ${scope.merchantId} and strpos(messages::text, ${text}) > 0
    ) as count`.execute(scope.db)
  return rows[0]?.count ?? 0
}

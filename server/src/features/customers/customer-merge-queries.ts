import { sql } from 'kysely'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { indexTexts } from './list/search-queries.ts'

/** Adds the counts of both; orders calculates the order sums again. */
export async function addSums(scope: MerchantScope, fromId: string, intoId: string): Promise<void> {
  await sql`
    update customers k set
      email_sent_count = k.email_sent_count + f.email_sent_count, line_sent_count = k.line_sent_count + f.line_sent_count,
      opened_count = k.opened_count + f.opened_count, clicked_count = k.clicked_count + f.clicked_count,
      last_sent_at = greatest(k.last_sent_at, f.last_sent_at), last_opened_at = greatest(k.last_opened_at, f.last_opened_at),
      last_clicked_at = greatest(k.last_clicked_at, f.last_clicked_at),
      line_connected_at = coalesce(k.line_connected_at, f.line_connected_at), birthday = coalesce(k.birthday, f.birthday),
      created_at = least(k.created_at, f.created_at), updated_at = ${scope.now}
    from customers f
    where k.merchant_id = ${scope.merchantId} and k.id = ${intoId} and f.merchant_id = ${scope.merchantId} and f.id = ${fromId}
  `.execute(scope.db)
  await indexTexts(scope, [intoId])
}

import { sql } from 'kysely'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'

export async function insertLinkChange(
  scope: MerchantScope,
  change: { id: string; customerId: string; lineUserId: string; isLinked: boolean },
): Promise<void> {
  await sql`insert into line_link_changes (merchant_id, id, customer_id, line_user_id, is_linked, occurred_at)
    values (${scope.merchantId}, ${change.id}, ${change.customerId}, ${change.lineUserId}, ${change.isLinked}, ${scope.now})`.execute(
    scope.db,
  )
}

export async function moveLinkChanges(scope: MerchantScope, fromId: string, intoId: string): Promise<void> {
  await sql`update line_link_changes set customer_id = ${intoId}
    where merchant_id = ${scope.merchantId} and customer_id = ${fromId}`.execute(scope.db)
}

export async function deleteLinkChanges(scope: MerchantScope, customerId: string): Promise<void> {
  await sql`delete from line_link_changes
    where merchant_id = ${scope.merchantId} and customer_id = ${customerId}`.execute(scope.db)
}

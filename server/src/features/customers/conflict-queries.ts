import type { CustomerConflict } from '@okaeri/contract/customers/customer'
import { sql } from 'kysely'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'

export async function insertConflicts(
  scope: MerchantScope,
  customerId: string,
  conflicts: readonly CustomerConflict[],
): Promise<void> {
  for (const conflict of conflicts)
    await sql`
      insert into customer_conflicts (merchant_id, id, customer_id, field, used_value, unused_value, used_from, used_at, member_id,
        occurred_at)
      values (${scope.merchantId}, ${conflict.id}, ${customerId}, ${conflict.field}, ${conflict.used_value}, ${conflict.unused_value},
        ${conflict.used_from}, ${conflict.used_at}, ${scope.memberId}, ${conflict.occurred_at})
    `.execute(scope.db)
}

export async function selectConflicts(
  scope: MerchantScope,
  customerId: string,
  limit: number,
): Promise<CustomerConflict[]> {
  const { rows } = await sql<Omit<CustomerConflict, 'used_at' | 'occurred_at'> & { used_at: Date; occurred_at: Date }>`
    select id, field, used_value, unused_value, used_from, used_at, occurred_at from customer_conflicts
    where merchant_id = ${scope.merchantId} and customer_id = ${customerId} order by occurred_at desc, id desc limit ${limit}
  `.execute(scope.db)
  return rows.map((row) => ({
    ...row,
    used_at: row.used_at.toISOString(),
    occurred_at: row.occurred_at.toISOString(),
  }))
}

/** The store merged two customers. */
export async function moveConflicts(scope: MerchantScope, fromId: string, intoId: string): Promise<void> {
  await sql`
    update customer_conflicts set customer_id = ${intoId} where merchant_id = ${scope.merchantId} and customer_id = ${fromId}
  `.execute(scope.db)
}

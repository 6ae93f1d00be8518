import { sql } from 'kysely'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'

/** Counts one change, if fewer than `allowed` were made. Returns whether it was counted. */
export async function countChange(scope: MerchantScope, customerId: string, allowed: number): Promise<boolean> {
  if (allowed === 0) return false
  const { rows } = await sql`
    insert into birthday_entries as e (merchant_id, customer_id, changes, changed_at)
    values (${scope.merchantId}, ${customerId}, 1, ${scope.now})
    on conflict (merchant_id, customer_id) do update set changes = e.changes + 1, changed_at = excluded.changed_at
      where e.changes < ${allowed}
    returning changes
  `.execute(scope.db)
  return rows.length > 0
}

export interface StoredBirthday {
  birthday: string | null
  changes: number
}
export async function findStoredBirthday(scope: MerchantScope, customerId: string): Promise<StoredBirthday | null> {
  const { rows } = await sql<StoredBirthday>`
    select c.birthday::text, coalesce(e.changes, 0) as changes from customers c
    left join birthday_entries e on e.merchant_id = ${scope.merchantId} and e.customer_id = c.id
    where c.merchant_id = ${scope.merchantId} and c.id = ${customerId}
  `.execute(scope.db)
  return rows[0] ?? null
}

export async function deleteEntries(scope: MerchantScope, customerId: string): Promise<void> {
  await sql`
    delete from birthday_entries where merchant_id = ${scope.merchantId} and customer_id = ${customerId}
  `.execute(scope.db)
}

/** When two customers become one, the changes of both count. */
export async function joinEntries(scope: MerchantScope, fromId: string, intoId: string): Promise<void> {
  const { rows } = await sql<{ changes: number; changed_at: Date }>`
    delete from birthday_entries where merchant_id = ${scope.merchantId} and customer_id = ${fromId}
    returning changes, changed_at
  `.execute(scope.db)
  const [from] = rows
  if (!from) return
  await sql`
    insert into birthday_entries as e (merchant_id, customer_id, changes, changed_at)
    values (${scope.merchantId}, ${intoId}, ${from.changes}, ${from.changed_at})
    on conflict (merchant_id, customer_id) do update set changes = e.changes + excluded.changes,
      changed_at = greatest(e.changed_at, excluded.changed_at)
  `.execute(scope.db)
}

import { sql } from 'kysely'
import type { MerchantScope, TransactionScope } from '../../kernel/merchant-scope.ts'

export async function findGuestId(scope: MerchantScope, tokenHash: Buffer): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    select id from guests where merchant_id = ${scope.merchantId} and token_hash = ${tokenHash}`.execute(scope.db)
  return rows[0]?.id ?? null
}

/** The guest's row is locked, also where they joined that customer before; false then. */
export async function joinRow(scope: TransactionScope, id: string, customerId: string): Promise<boolean> {
  const { rows } = await sql`
    insert into guests as g (merchant_id, id, customer_id, created_at, joined_at)
    values (${scope.merchantId}, ${id}, ${customerId}, ${scope.now}, ${scope.now})
    on conflict (merchant_id, id) do update set customer_id = excluded.customer_id, joined_at = excluded.joined_at
      where g.customer_id is distinct from excluded.customer_id
    returning id`.execute(scope.db)
  return rows.length > 0
}

/** Those who joined last are kept. */
export async function deleteOldest(scope: TransactionScope, customerId: string, keep: number): Promise<void> {
  const { merchantId } = scope
  await sql`
    delete from guests where merchant_id = ${merchantId} and id in (
      select g.id from guests g where g.merchant_id = ${merchantId} and g.customer_id = ${customerId}
      order by g.joined_at desc nulls last, g.id offset ${keep})`.execute(scope.db)
}

export async function deleteGuestsOf(scope: MerchantScope, customerId: string): Promise<void> {
  await sql`delete from guests where merchant_id = ${scope.merchantId} and customer_id = ${customerId}`.execute(
    scope.db,
  )
}

export async function moveGuests(scope: MerchantScope, fromId: string, intoId: string): Promise<void> {
  await sql`
    update guests set customer_id = ${intoId} where merchant_id = ${scope.merchantId} and customer_id = ${fromId}
  `.execute(scope.db)
}

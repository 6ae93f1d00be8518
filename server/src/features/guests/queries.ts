import { sql } from 'kysely'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'

export async function upsertGuest(
  scope: MerchantScope,
  id: string,
  tokenHash: Buffer,
): Promise<{ guestId: string; customerId: string | null }> {
  const { rows } = await sql<{ guestId: string; customerId: string | null }>`
    insert into guests as g (merchant_id, id, token_hash, created_at, last_seen_at)
    values (${scope.merchantId}, ${id}, ${tokenHash}, ${scope.now}, ${scope.now})
    on conflict (merchant_id, token_hash) do update set last_seen_at = greatest(g.last_seen_at, excluded.last_seen_at)
    returning id as "guestId", customer_id as "customerId"
  `.execute(scope.db)
  const [guest] = rows
  if (!guest) throw new Error('an upsert answers its row')
  return guest
}

export async function lockGuest(scope: MerchantScope, id: string): Promise<{ customerId: string | null } | null> {
  const { rows } = await sql<{ customerId: string | null }>`
    select customer_id as "customerId" from guests where merchant_id = ${scope.merchantId} and id = ${id} for update
  `.execute(scope.db)
  return rows[0] ?? null
}

export async function markJoined(scope: MerchantScope, id: string, customerId: string): Promise<void> {
  await sql`
    update guests set customer_id = ${customerId}, joined_at = ${scope.now}
    where merchant_id = ${scope.merchantId} and id = ${id}
  `.execute(scope.db)
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

import { sql } from 'kysely'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'

export async function writePause(scope: MerchantScope, addressKey: string, until: Date): Promise<void> {
  await sql`
    insert into marketing_pauses (merchant_id, address_key, until, created_at)
    values (${scope.merchantId}, ${addressKey}, ${until}, ${scope.now})
    on conflict (merchant_id, address_key) do update set until = excluded.until, created_at = excluded.created_at
  `.execute(scope.db)
}

export async function deletePause(scope: MerchantScope, addressKey: string): Promise<void> {
  await sql`
    delete from marketing_pauses where merchant_id = ${scope.merchantId} and address_key = ${addressKey}
  `.execute(scope.db)
}

/** Until when marketing to this address (in lower case) is paused; null: it is not. */
export async function selectPause(scope: MerchantScope, addressKey: string): Promise<Date | null> {
  const { rows } = await sql<{ until: Date }>`
    select until from marketing_pauses
    where merchant_id = ${scope.merchantId} and address_key = ${addressKey} and until > ${scope.now}
  `.execute(scope.db)
  return rows[0]?.until ?? null
}

/** Nothing asks about a pause that is over. */
export async function deleteOverPauses(scope: MerchantScope): Promise<void> {
  await sql`
    delete from marketing_pauses where merchant_id = ${scope.merchantId} and until <= ${scope.now}
  `.execute(scope.db)
}

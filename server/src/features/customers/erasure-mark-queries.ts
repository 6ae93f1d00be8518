import { sql } from 'kysely'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'

export async function insertErasedMarks(scope: MerchantScope, hashes: readonly string[]): Promise<void> {
  await sql`
    insert into erased_marks (merchant_id, mark_hash, erased_at)
    select ${scope.merchantId}, hash, ${scope.now} from unnest(${hashes}::text[]) as hash
    on conflict (merchant_id, mark_hash) do update set erased_at = greatest(erased_marks.erased_at, excluded.erased_at)
  `.execute(scope.db)
}

/** Whether any erasure mark exists. Usually there is none. */
export async function hasErasedMarks(scope: MerchantScope): Promise<boolean> {
  const { rows } = await sql`select from erased_marks where merchant_id = ${scope.merchantId} limit 1`.execute(scope.db)
  return rows.length > 0
}

export async function selectErasedMarks(
  scope: MerchantScope,
  hashes: readonly string[],
): Promise<{ hash: string; erasedAt: Date }[]> {
  const { rows } = await sql<{ hash: string; erasedAt: Date }>`
    select mark_hash as hash, erased_at as "erasedAt" from erased_marks
    where merchant_id = ${scope.merchantId} and mark_hash = any(${hashes}::text[])
  `.execute(scope.db)
  return rows
}

import type { FavoriteSettings } from '@okaeri/contract/favorites/settings'
import { sql } from 'kysely'
import type { MerchantScope, TransactionScope } from '../../kernel/merchant-scope.ts'

export async function findSettings(scope: MerchantScope): Promise<FavoriteSettings | null> {
  const { rows } = await sql<FavoriteSettings>`
    select show_count, quiet_days, low_stock from favorite_settings where merchant_id = ${scope.merchantId}`.execute(
    scope.db,
  )
  return rows[0] ?? null
}

/** Two who save at once save one after the other. */
export async function lockSettings(scope: TransactionScope, usual: FavoriteSettings): Promise<FavoriteSettings> {
  const { rows } = await sql<FavoriteSettings>`
    insert into favorite_settings as s (merchant_id, show_count, quiet_days, low_stock)
    values (${scope.merchantId}, ${usual.show_count}, ${usual.quiet_days}, ${usual.low_stock})
    on conflict (merchant_id) do update set show_count = s.show_count
    returning show_count, quiet_days, low_stock`.execute(scope.db)
  return rows[0] ?? usual
}

export async function updateSettings(scope: TransactionScope, settings: FavoriteSettings): Promise<void> {
  await sql`
    update favorite_settings set show_count = ${settings.show_count}, quiet_days = ${settings.quiet_days},
      low_stock = ${settings.low_stock}
    where merchant_id = ${scope.merchantId}`.execute(scope.db)
}

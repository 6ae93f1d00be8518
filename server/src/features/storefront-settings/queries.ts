import type { StorefrontSettings } from '@okaeri/contract/storefront-settings/settings'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'

const columns = [
  'birthday_changes',
  'consent_wording_ja',
  'consent_wording_en',
  'double_opt_in',
  'records_behavior',
  'records_carts',
] as const

export async function findSettingsRow(
  scope: MerchantScope,
  { locked }: { locked: boolean } = { locked: false },
): Promise<StorefrontSettings | null> {
  const query = scope.db.selectFrom('storefront_settings').select(columns).where('merchant_id', '=', scope.merchantId)
  const row = await (locked ? query.forShare() : query).executeTakeFirst()
  return row ?? null
}

/** What is not given stays, or is as the table says. */
export async function writeSettings(scope: MerchantScope, change: Partial<StorefrontSettings>): Promise<void> {
  const values = { ...change, updated_at: scope.now }
  await scope.db
    .insertInto('storefront_settings')
    .values({ merchant_id: scope.merchantId, ...values })
    .onConflict((conflict) => conflict.column('merchant_id').doUpdateSet(values))
    .execute()
}

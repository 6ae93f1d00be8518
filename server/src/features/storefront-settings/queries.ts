import type { StorefrontSettings } from '@okaeri/contract/storefront-settings/settings'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'

const columns = [
  'birthday_changes',
  'consent_wording_ja',
  'consent_wording_en',
  'double_opt_in',
  'records_behavior',
] as const

export async function findSettingsRow(scope: MerchantScope): Promise<StorefrontSettings | null> {
  const row = await scope.db
    .selectFrom('storefront_settings')
    .select(columns)
    .where('merchant_id', '=', scope.merchantId)
    .executeTakeFirst()
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

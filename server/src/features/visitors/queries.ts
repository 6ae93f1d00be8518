import type { WidgetSettings } from '@okaeri/contract/visitors/widget'
import { sql } from 'kysely'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'

/** Whether the customer is still here: neither deleted nor merged into another. */
export async function isCustomerHere(scope: MerchantScope, customerId: string): Promise<boolean> {
  const { rows } = await sql`
    select from customers where merchant_id = ${scope.merchantId} and id = ${customerId}`.execute(scope.db)
  return rows.length > 0
}

export interface StoredWidgetSettings {
  parts: Partial<WidgetSettings['parts']>
  texts: Partial<WidgetSettings['texts']>
  colors: Partial<WidgetSettings['colors']>
}

export async function findWidgetSettings(
  scope: MerchantScope,
  { lock }: { lock: boolean } = { lock: false },
): Promise<StoredWidgetSettings | null> {
  const { rows } = await sql<StoredWidgetSettings>`
    select parts, texts, colors from widget_settings where merchant_id = ${scope.merchantId}
    ${lock ? sql`for update` : sql``}`.execute(scope.db)
  return rows[0] ?? null
}

/** Makes the row, so that it can be locked. */
export async function makeWidgetSettings(scope: MerchantScope): Promise<void> {
  await sql`insert into widget_settings (merchant_id, updated_at) values (${scope.merchantId}, ${scope.now})
    on conflict do nothing`.execute(scope.db)
}

export async function updateWidgetSettings(
  scope: MerchantScope,
  { parts, texts, colors }: StoredWidgetSettings,
): Promise<void> {
  await sql`
    update widget_settings set parts = ${JSON.stringify(parts)}::jsonb, texts = ${JSON.stringify(texts)}::jsonb,
      colors = ${JSON.stringify(colors)}::jsonb, updated_at = ${scope.now}
    where merchant_id = ${scope.merchantId}`.execute(scope.db)
}

import type { StorefrontSettings } from '@okaeri/contract/storefront-settings/settings'
import type { MerchantScope, TransactionScope } from '../../kernel/merchant-scope.ts'
import { findSettingsRow, writeSettings } from './queries.ts'

declare module '../../kernel/facts.ts' {
  interface Facts {
    /** Switched off: what was kept of people's behavior is cleared. */
    'behavior.switched_off': { what: 'views' | 'carts' }
  }
}

/** As the columns of the table, for a merchant who never saved. */
const unsaved: StorefrontSettings = {
  birthday_changes: 1,
  consent_wording_ja: '',
  consent_wording_en: '',
  double_opt_in: true,
  records_behavior: false,
  records_carts: false,
}

export const getStorefrontSettings = async (scope: MerchantScope): Promise<StorefrontSettings> =>
  (await findSettingsRow(scope)) ?? unsaved

/** As they are until the transaction ends. */
export const lockStorefrontSettings = async (scope: TransactionScope): Promise<StorefrontSettings> =>
  (await findSettingsRow(scope, { locked: true })) ?? unsaved

/** What is not given stays: another member may have changed it meanwhile. */
export function changeStorefrontSettings(
  scope: MerchantScope,
  change: { [Field in keyof StorefrontSettings]?: StorefrontSettings[Field] | undefined },
): Promise<StorefrontSettings> {
  const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
  return scope.transaction(async (scope) => {
    const before = await getStorefrontSettings(scope)
    await writeSettings(scope, given)
    const after = await getStorefrontSettings(scope)
    if (before.records_behavior && !after.records_behavior)
      await scope.context.publish(scope, 'behavior.switched_off', { what: 'views' })
    if (before.records_carts && !after.records_carts)
      await scope.context.publish(scope, 'behavior.switched_off', { what: 'carts' })
    return after
  })
}

import {
  type RestockSettings,
  type RestockSettingsChange,
  usualRestockSettings,
} from '@okaeri/contract/restocks/settings'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { getMerchant } from '../merchants/index.ts'
import { insertSettings, lockSettings, selectSettings, updateSettings } from './settings-queries.ts'

export const readRestockSettings = async (scope: MerchantScope): Promise<RestockSettings> =>
  (await selectSettings(scope)) ?? usualRestockSettings

/** Changes only what is given, so that two forms do not undo each other. */
export function changeRestockSettings(scope: MerchantScope, change: RestockSettingsChange): Promise<RestockSettings> {
  return scope.transaction(async (scope) => {
    // The first change too has a row to wait for.
    await insertSettings(scope, usualRestockSettings)
    const settings = { ...usualRestockSettings, ...(await lockSettings(scope)), ...given(change) }
    await updateSettings(scope, settings)
    return settings
  })
}

const given = (change: RestockSettingsChange): Partial<RestockSettings> =>
  Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))

/** What the storefront's script gets: which buttons to draw, and the merchant's own texts. */
export async function restockFacts(scope: MerchantScope): Promise<Record<string, unknown>> {
  const { email_button: email, line_button: line, texts } = await readRestockSettings(scope)
  // Until the account is confirmed no link could be mailed to those who ask.
  const { account_confirmed: isConfirmed } = await getMerchant(scope)
  const own = Object.entries(texts).filter(([, { ja, en }]) => ja !== '' || en !== '')
  return { email: email && isConfirmed, line, texts: Object.fromEntries(own) }
}

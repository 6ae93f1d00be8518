import { type FavoriteSettings, usualFavoriteSettings } from '@okaeri/contract/favorites/settings'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { findSettings, lockSettings, updateSettings } from './settings-queries.ts'

export const readFavoriteSettings = async (scope: MerchantScope): Promise<FavoriteSettings> =>
  (await findSettings(scope)) ?? usualFavoriteSettings

/** Fields that are not named stay, so that two tabs do not undo each other. */
export function changeFavoriteSettings(
  scope: MerchantScope,
  change: { [K in keyof FavoriteSettings]?: FavoriteSettings[K] | undefined },
): Promise<FavoriteSettings> {
  return scope.transaction(async (scope) => {
    const before = await lockSettings(scope, usualFavoriteSettings)
    const named = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
    const settings = { ...before, ...named }
    await updateSettings(scope, settings)
    return settings
  })
}

/** What the parts of the script on the shop's pages know of it. */
export async function favoriteFactsForShop(scope: MerchantScope): Promise<{ show_count: boolean }> {
  const { show_count } = await readFavoriteSettings(scope)
  return { show_count }
}

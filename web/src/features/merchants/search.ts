import { z } from 'zod'

export const settingsTabs = [
  'basic',
  'mail',
  'customer',
  'store',
  'widget',
  'favorite',
  'restock',
  'line',
  'account',
] as const
const text = z.string().optional().catch(undefined)
/** `currency` and `shop`: a store that was refused because it sells in another currency. */
export const SettingsSearch = z.object({
  tab: z.enum(settingsTabs).optional().catch(undefined),
  currency: text,
  shop: text,
})

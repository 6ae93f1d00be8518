// Search parameters of the pages of this feature.

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
export const SettingsSearch = z.object({ tab: z.enum(settingsTabs).optional().catch(undefined) })

import { type AnyRoute, createRoute } from '@tanstack/react-router'
import { z } from 'zod'
import { lazyPage } from '../../app/lazy-page.ts'
import { paths } from '../../app/paths.ts'

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

export const merchantRoutes = (shell: AnyRoute) => [
  createRoute({
    getParentRoute: () => shell,
    path: paths.settings.pattern,
    validateSearch: SettingsSearch,
    component: lazyPage(() => import('./settings-page.tsx'), 'SettingsPage'),
  }),
]

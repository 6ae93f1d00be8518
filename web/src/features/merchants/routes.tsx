import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { z } from 'zod'
import { paths } from '../../app/paths.ts'

export const settingsTabs = ['basic', 'store', 'account'] as const
export const SettingsSearch = z.object({ tab: z.enum(settingsTabs).optional().catch(undefined) })

export const merchantRoutes = (shell: AnyRoute) => [
  createRoute({
    getParentRoute: () => shell,
    path: paths.settings.pattern,
    validateSearch: SettingsSearch,
    component: lazyRouteComponent(() => import('./settings-page.tsx'), 'SettingsPage'),
  }),
]

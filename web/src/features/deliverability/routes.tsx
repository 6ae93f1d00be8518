import { deliverabilitySpans } from '@okaeri/contract/deliverability/routes'
import { type AnyRoute, createRoute } from '@tanstack/react-router'
import { z } from 'zod'
import { lazyPage } from '../../app/lazy-page.ts'
import { paths } from '../../app/paths.ts'

export const DeliverabilitySearch = z.object({
  days: z.coerce
    .number()
    .refine((days) => deliverabilitySpans.some((span) => span === days))
    .optional()
    .catch(undefined),
})

export const deliverabilityRoutes = (shell: AnyRoute) => [
  createRoute({
    getParentRoute: () => shell,
    path: paths.deliverability.pattern,
    validateSearch: DeliverabilitySearch,
    component: lazyPage(() => import('./deliverability-page.tsx'), 'DeliverabilityPage'),
  }),
]

import { type AnyRoute, createRoute } from '@tanstack/react-router'
import { z } from 'zod'
import { lazyPage } from '../../app/lazy-page.ts'
import { paths } from '../../app/paths.ts'

export const MediaSearch = z.object({
  q: z.string().max(200).optional().catch(undefined),
  folder: z.string().max(60).optional().catch(undefined),
  order: z.enum(['newest', 'oldest', 'name', 'largest']).optional().catch(undefined),
  page: z.coerce.number<unknown>().int().min(1).max(10_000).optional().catch(undefined),
})

export const mediaRoutes = (shell: AnyRoute) => [
  createRoute({
    getParentRoute: () => shell,
    path: paths.media.pattern,
    validateSearch: MediaSearch,
    component: lazyPage(() => import('./media-page.tsx'), 'MediaPage'),
  }),
]

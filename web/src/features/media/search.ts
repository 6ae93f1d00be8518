// Search parameters of the pages of this feature.

import { z } from 'zod'

export const MediaSearch = z.object({
  q: z.string().max(200).optional().catch(undefined),
  folder: z.string().max(60).optional().catch(undefined),
  order: z.enum(['newest', 'oldest', 'name', 'largest']).optional().catch(undefined),
  page: z.coerce.number<unknown>().int().min(1).max(10_000).optional().catch(undefined),
})

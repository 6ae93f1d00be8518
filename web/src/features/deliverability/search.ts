// Search parameters of the pages of this feature.

import { deliverabilitySpans } from '@okaeri/contract/deliverability/routes'
import { z } from 'zod'

export const DeliverabilitySearch = z.object({
  days: z.coerce
    .number()
    .refine((days) => deliverabilitySpans.some((span) => span === days))
    .optional()
    .catch(undefined),
})

// Search parameters of the pages of this feature.

import { Timespan } from '@okaeri/contract/reports/routes'
import { z } from 'zod'

export const DashboardSearch = z.object({ timespan: Timespan.optional().catch(undefined) })

// Search parameters of the pages of this feature.

import { customerFilters, customerSorts } from '@okaeri/contract/customers/view'
import { z } from 'zod'
import { listSearch } from '../../ui/pages/list-state.ts'

const { q: _, ...filters } = customerFilters
export const CustomerSearch = listSearch({ sorts: customerSorts, filters })
export const SuppressionSearch = listSearch({
  sorts: ['created_at', 'address'],
  filters: {
    state: z.enum(['in_force', 'lifted']),
    reason: z.enum(['hard_bounce', 'soft_bounce', 'complaint', 'manual']),
  },
})

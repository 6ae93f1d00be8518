// Search parameters of the pages of this feature.

import { customerFilters } from '@okaeri/contract/customers/view'
import { SegmentOrigin } from '@okaeri/contract/segments/segment'
import { listSearch } from '../../ui/pages/list-state.ts'

export const SegmentSearch = listSearch({
  sorts: ['created_at', 'name', 'customer_count'],
  filters: { origin: SegmentOrigin },
})
/** The customers of a segment: search and page stay in the address. */
export const SegmentCustomerSearch = listSearch({ sorts: ['created_at'] })
const { q: _, ...filters } = customerFilters
/** Filters of the customer list, to become conditions; what does not fit is dropped. */
export const SegmentNewSearch = listSearch({
  sorts: ['created_at'],
  filters,
})

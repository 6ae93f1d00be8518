// Search parameters of the pages of this feature.

import { DeliveryKind, DeliveryStatus } from '@okaeri/contract/deliveries/delivery'
import { Day } from '@okaeri/contract/fields'
import { listSearch } from '../../ui/pages/list-state.ts'

export const LineMessageSearch = listSearch({ sorts: ['created_at', 'updated_at', 'name'] })

export const LineHistorySearch = listSearch({
  sorts: ['created_at'],
  filters: { kind: DeliveryKind, status: DeliveryStatus, from: Day, to: Day },
})

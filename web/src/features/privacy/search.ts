// Search parameters of the pages of this feature.

import { listSearch } from '../../ui/pages/list-state.ts'

export const PrivacySearch = listSearch({ sorts: ['received_at'] })

// Search parameters of the pages of this feature.

import { NamespaceType } from '@okaeri/contract/metafields/metafield'
import { listSearch } from '../../ui/pages/list-state.ts'

export const MetafieldSearch = listSearch({
  sorts: ['created_at', 'name', 'key', 'value_count'],
  filters: { namespace_type: NamespaceType },
})

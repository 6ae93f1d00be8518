// Search parameters of the pages of this feature.

import { ImportStatus } from '@okaeri/contract/imports/import'
import { listSearch } from '../../ui/pages/list-state.ts'

export const ImportSearch = listSearch({ sorts: ['created_at'], filters: { status: ImportStatus } })

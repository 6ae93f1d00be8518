// Search parameters of the pages of this feature.

import { RestockStatus } from '@okaeri/contract/restocks/routes'
import { listSearch } from '../../ui/pages/list-state.ts'
import { z } from 'zod'

export const RestockSearch = listSearch({ sorts: ['created_at'], filters: {} })
export const RestockProductSearch = z.object({ status: RestockStatus.optional().catch(undefined) })

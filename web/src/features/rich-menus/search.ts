// Search parameters of the pages of this feature.

import { CalendarMonth, RichMenuStatus } from '@okaeri/contract/rich-menus/menu'
import { z } from 'zod'
import { listSearch } from '../../ui/pages/list-state.ts'

export const RichMenuSearch = listSearch({ sorts: ['starts_at'], filters: { status: RichMenuStatus } })

export const CalendarSearch = z.object({ month: CalendarMonth.optional().catch(undefined) })

// Search parameters of the pages of this feature.

import { CampaignStatus } from '@okaeri/contract/campaigns/campaign'
import { z } from 'zod'
import { listSearch } from '../../ui/pages/list-state.ts'

export const CampaignSearch = listSearch({
  sorts: ['created_at', 'name', 'scheduled_at', 'sent_at'],
  filters: { status: CampaignStatus },
})

const given = z.string().optional().catch(undefined)
/** What to begin with, as the page of a segment, an email or a LINE message gives it. */
export const CampaignNewSearch = z.object({ segment: given, email: given, line_message: given })

// Search parameters of the pages of this feature.

import { Locale } from '@okaeri/contract/locale'
import { z } from 'zod'
import { listSearch } from '../../ui/pages/list-state.ts'

export const EmailSearch = listSearch({
  sorts: ['created_at', 'name', 'sent_count', 'open_rate', 'click_rate', 'revenue'],
})

export const ComponentSearch = listSearch({ sorts: ['created_at', 'updated_at', 'name'] })

/** Which place an editor begins at, and the campaign whose review led there. */
export const EditorSearch = z.object({
  line: z.coerce.number().int().min(1).optional().catch(undefined),
  block: z.string().max(20).optional().catch(undefined),
  campaign: z.uuid().optional().catch(undefined),
  /** Which of the email's languages. */
  language: Locale.optional().catch(undefined),
})
export type EditorSearch = z.output<typeof EditorSearch>

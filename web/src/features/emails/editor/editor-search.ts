import { useSearch } from '@tanstack/react-router'
import { Locale } from '@okaeri/contract/locale'
import { z } from 'zod'
import { word } from '../../../app/i18n.ts'
import { paths } from '../../../app/paths.ts'
import type { Back } from '../../../ui/pages/page-frame.tsx'

/** Which place an editor begins at, and the campaign whose review led there. */
export const EditorSearch = z.object({
  line: z.coerce.number().int().min(1).optional().catch(undefined),
  block: z.string().max(20).optional().catch(undefined),
  campaign: z.uuid().optional().catch(undefined),
  /** Which of the email's languages. */
  language: Locale.optional().catch(undefined),
})
export type EditorSearch = z.output<typeof EditorSearch>

export const useEditorSearch = (): EditorSearch => EditorSearch.parse(useSearch({ strict: false }))

/** To the review that led here, else to where the page belongs. */
export const backFrom = ({ campaign }: EditorSearch, otherwise: Back): Back =>
  campaign === undefined ? otherwise : { to: paths.campaignReview(campaign), label: word('emails', 'backToReview') }

export const backToEmail = (emailId: string): Back => ({
  to: paths.email(emailId),
  label: word('emails', 'backToEmail'),
})

import { useSearch } from '@tanstack/react-router'
import { word } from '../../../app/i18n.ts'
import { paths } from '../../../app/paths.ts'
import type { Back } from '../../../ui/pages/page-frame.tsx'
import { EditorSearch } from '../search.ts'

export const useEditorSearch = (): EditorSearch => EditorSearch.parse(useSearch({ strict: false }))

/** To the review that led here, else to where the page belongs. */
export const backFrom = ({ campaign }: EditorSearch, otherwise: Back): Back =>
  campaign === undefined ? otherwise : { to: paths.campaignReview(campaign), label: word('emails', 'backToReview') }

export const backToEmail = (emailId: string): Back => ({
  to: paths.email(emailId),
  label: word('emails', 'backToEmail'),
})

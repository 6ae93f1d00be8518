import type { Design } from '@okaeri/contract/emails/design'
import type { RenderedEmail } from '@okaeri/contract/emails/email'
import type { Locale } from '@okaeri/contract/locale'
import { previewEmail } from '@okaeri/contract/emails/routes'
import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query'
import { call } from '../../../api/call.ts'

export interface MailToPreview {
  subject: string
  preheader: string
  content: string
  design?: Design
  from_email: string | null
  from_name: string | null
  customer_id: string | null
  /** As a person wrote it; left out or null: made from the content. */
  plain_text?: string | null
  /** In which language it is; null: the merchant's. */
  language?: Locale | null
  /** The email's variants: the server says which of them the customer gets. */
  variant_languages?: Locale[]
}

/**
 * The mail as it will be seen; null asks for nothing yet. The last preview stays until the next one is there. Asked once for each
 * content, not every 30 seconds: the answer hangs on the question alone.
 */
export function usePreview(mail: MailToPreview | null): UseQueryResult<RenderedEmail> {
  return useQuery({
    queryKey: [previewEmail.area, previewEmail.path, mail],
    queryFn: async ({ signal }) => {
      if (!mail) throw new Error('asked for no mail')
      return (await call(previewEmail, { body: mail, signal })).rendered
    },
    enabled: mail !== null,
    placeholderData: keepPreviousData,
    refetchInterval: false,
    refetchOnWindowFocus: false,
  })
}

import { getEmail } from '@okaeri/contract/emails/routes'
import { useQuery } from '@tanstack/react-query'
import { queryOf } from '../../api/queries.ts'
import { MailThumbnail } from './preview/mail-preview.tsx'
import { usePreview } from './preview/use-preview.ts'

/** A small picture of the mail one has chosen. */
export function ChosenEmail({ id }: { id: string }) {
  const { data } = useQuery(queryOf(getEmail, { params: { id } }))
  const email = data?.email
  const preview = usePreview(
    email
      ? {
          subject: email.subject,
          preheader: email.preheader,
          content: email.content,
          from_email: email.from_email,
          from_name: email.from_name,
          customer_id: null,
        }
      : null,
  )
  return <MailThumbnail mail={preview.data} />
}

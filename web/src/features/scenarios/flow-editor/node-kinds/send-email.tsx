import { Group, Stack, Text } from '@mantine/core'
import { ApiError } from '@okaeri/contract/client'
import { getEmail } from '@okaeri/contract/emails/routes'
import { useQuery } from '@tanstack/react-query'
import { queryOf } from '../../../../api/queries.ts'
import { useWords } from '../../../../app/i18n.ts'
import { paths } from '../../../../app/paths.ts'
import { TextLink } from '../../../../ui/links.tsx'
import { Notice } from '../../../../ui/notice.tsx'
import { EmailSelect } from '../../../emails/email-select.tsx'
import { MailPreview } from '../../../emails/preview/mail-preview.tsx'
import { usePreview } from '../../../emails/preview/use-preview.ts'
import classes from '../flow-editor.module.css'
import type { NodeFormProps } from './node-form.ts'
import { TrackingFields } from './tracking-fields.tsx'

/** Which email, its preview, and the parameters of its links. */
export function SendEmailForm({ node, onChange }: NodeFormProps<'send_email'>) {
  const t = useWords('flow')
  const { email_id: id, tracking_parameters: tracking } = node.settings
  const query = useQuery({ ...queryOf(getEmail, { params: { id: id ?? '' } }), enabled: id !== null, retry: false })
  const email = id === null ? undefined : query.data?.email
  const gone = id !== null && query.error instanceof ApiError && query.error.status === 404
  const set = (settings: Partial<typeof node.settings>, typing?: string) =>
    onChange({ ...node, settings: { ...node.settings, ...settings } }, typing)
  return (
    <Stack gap="sm">
      <EmailSelect
        label={t('email.label')}
        placeholder={t('email.placeholder')}
        value={id}
        valueLabel={email?.name}
        onChange={(email_id) => set({ email_id })}
        error={gone ? t('email.gone') : undefined}
      />
      <Group gap="md">
        {email && (
          <TextLink to={paths.email(email.id)} target="_blank" fz="sm">
            {t('email.open')}
            {t('email.newTab')}
          </TextLink>
        )}
        <TextLink to={paths.emailNew()} target="_blank" fz="sm">
          {t('email.create')}
          {t('email.newTab')}
        </TextLink>
      </Group>
      {email && <Preview email={email} />}
      <Text size="xs" c="dimmed">
        {t('email.coupon', { code: '{{ coupon.code }}' })}
      </Text>
      <TrackingFields
        medium="email"
        tracking={tracking}
        onChange={(tracking_parameters, typing) => set({ tracking_parameters }, typing)}
      />
    </Stack>
  )
}

interface Written {
  subject: string
  preheader: string
  content: string
  from_email: string | null
  from_name: string | null
  plain_text: string | null
}
function Preview({ email }: { email: Written }) {
  const t = useWords('flow')
  const { subject, preheader, content, from_email, from_name, plain_text } = email
  const preview = usePreview({ subject, preheader, content, from_email, from_name, plain_text, customer_id: null })
  if (preview.error && !preview.data) return <Notice tone="warning">{t('email.previewFailed')}</Notice>
  return (
    <div className={classes.mail}>
      <MailPreview mail={preview.data} stale={preview.isFetching} fill />
    </div>
  )
}

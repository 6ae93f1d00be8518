import { Group, Stack, Text } from '@mantine/core'
import { ApiError } from '@okaeri/contract/client'
import { getEmail } from '@okaeri/contract/emails/routes'
import { useQuery } from '@tanstack/react-query'
import { queryOf } from '../../../../api/queries.ts'
import { ownWords, useWords } from '../../../../app/i18n.ts'
import { paths } from '../../../../app/paths.ts'
import { TextLink } from '../../../../ui/links.tsx'
import { Notice } from '../../../../ui/notice.tsx'
import { EmailSelect } from '../../../emails/email-select.tsx'
import { MailPreview } from '../../../emails/preview/mail-preview.tsx'
import { usePreview } from '../../../emails/preview/use-preview.ts'
import classes from '../flow-editor.module.css'
import type { NodeFormProps } from './node-form.ts'
import { TrackingFields } from './tracking-fields.tsx'

const useText = ownWords({
  label: { ja: 'メール', en: 'Email' },
  placeholder: { ja: 'メール名で検索', en: 'Search by name' },
  open: { ja: 'メールを開く', en: 'Open email' },
  create: { ja: 'メールを作成', en: 'Create email' },
  coupon: {
    ja: 'このステップより前に「クーポンを発行する」があれば、本文の {{code}} にコードが入ります。リンクには [coupon] を使います。',
    en: 'After an “Issue coupon” step, {{code}} in the email is replaced with the code. In links, use [coupon].',
  },
  previewFailed: { ja: 'プレビューを表示できません。', en: 'Preview unavailable.' },
  gone: {
    ja: '選んだメールは削除されています。別のメールを選んでください。',
    en: 'This email was deleted. Choose another one.',
  },
})

/** Which email, its preview, and the parameters of its links. */
export function SendEmailForm({ node, onChange }: NodeFormProps<'send_email'>) {
  const t = useText()
  const flow = useWords('flow')
  const { email_id: id, tracking_parameters: tracking } = node.settings
  const query = useQuery({ ...queryOf(getEmail, { params: { id: id ?? '' } }), enabled: id !== null, retry: false })
  const email = id === null ? undefined : query.data?.email
  const gone = id !== null && query.error instanceof ApiError && query.error.status === 404
  const set = (settings: Partial<typeof node.settings>, typing?: string) =>
    onChange({ ...node, settings: { ...node.settings, ...settings } }, typing)
  return (
    <Stack gap="sm">
      <EmailSelect
        label={t('label')}
        placeholder={t('placeholder')}
        value={id}
        valueLabel={email?.name}
        onChange={(email_id) => set({ email_id })}
        error={gone ? t('gone') : undefined}
      />
      <Group gap="md">
        {email && (
          <TextLink to={paths.email(email.id)} target="_blank" fz="sm">
            {t('open')}
            {flow('newTab')}
          </TextLink>
        )}
        <TextLink to={paths.emailNew()} target="_blank" fz="sm">
          {t('create')}
          {flow('newTab')}
        </TextLink>
      </Group>
      {email && <Preview email={email} />}
      <Text size="xs" c="dimmed">
        {t('coupon', { code: '{{ coupon.code }}' })}
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
  const t = useText()
  const { subject, preheader, content, from_email, from_name, plain_text } = email
  const preview = usePreview({ subject, preheader, content, from_email, from_name, plain_text, customer_id: null })
  if (preview.error && !preview.data) return <Notice tone="warning">{t('previewFailed')}</Notice>
  return (
    <div className={classes.mail}>
      <MailPreview mail={preview.data} stale={preview.isFetching} fill />
    </div>
  )
}

import { Button, Stack, TextInput } from '@mantine/core'
import { EmailAddress } from '@okaeri/contract/fields'
import { requestReset } from '@okaeri/contract/sessions/routes'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { useWords } from '../../app/i18n.ts'
import { paths } from '../../app/paths.ts'
import { fieldReasonText } from '../../app/reasons.ts'
import { Form } from '../../ui/form.tsx'
import { TextLink } from '../../ui/links.tsx'
import { Notice } from '../../ui/notice.tsx'
import { AuthPage } from './auth-page.tsx'

export function ForgotPage() {
  const t = useWords('sessions')
  const [email, setEmail] = useState('')
  const [wrong, setWrong] = useState<string | null>(null)
  const reminder = useMutation({ mutationFn: () => call(requestReset, { body: { email } }) })
  return (
    <AuthPage
      title={t('forgot.title')}
      {...(!reminder.isSuccess && { text: t('forgot.text') })}
      footer={<TextLink to={paths.login()}>{t('forgot.backToLogin')}</TextLink>}
    >
      {reminder.isSuccess ? (
        <Notice tone="success" title={t('forgot.sentTitle')}>
          {t('forgot.sentText', { email })}
        </Notice>
      ) : (
        <Form
          onSubmit={() => {
            const reason =
              email.trim() === '' ? 'required' : EmailAddress.safeParse(email).success ? null : 'not_an_email'
            setWrong(reason)
            if (reason === null) reminder.mutate()
          }}
        >
          <Stack>
            {reminder.error && <Notice tone="danger">{t('forgot.failed')}</Notice>}
            <TextInput
              label={t('login.email')}
              type="email"
              autoComplete="username"
              autoFocus
              value={email}
              onChange={(event) => setEmail(event.currentTarget.value)}
              error={wrong && fieldReasonText(wrong)}
            />
            <Button type="submit" loading={reminder.isPending}>
              {t('forgot.submit')}
            </Button>
          </Stack>
        </Form>
      )}
    </AuthPage>
  )
}

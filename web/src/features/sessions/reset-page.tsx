import { Button, Stack } from '@mantine/core'
import { ApiError } from '@okaeri/contract/client'
import { Password as PasswordRule, setForgottenPassword } from '@okaeri/contract/sessions/routes'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { z } from 'zod'
import { call } from '../../api/call.ts'
import { useWords } from '../../app/i18n.ts'
import { paths } from '../../app/paths.ts'
import { useEditForm } from '../../ui/edit/edit-form.ts'
import { ErrorSummary, LeaveGuard } from '../../ui/pages/edit-page.tsx'
import { Form } from '../../ui/form.tsx'
import { ButtonLink, TextLink } from '../../ui/links.tsx'
import { Notice } from '../../ui/notice.tsx'
import { SecretField } from '../../ui/secret-field.tsx'
import { AuthPage } from './auth-page.tsx'
import { ResetSearch } from './search.ts'

const NewPassword = z
  .object({ password: PasswordRule, again: z.string() })
  .refine(({ password, again }) => password === again, { path: ['again'], error: 'passwords_differ' })

export function ResetPage() {
  const t = useWords('sessions')
  const navigate = useNavigate()
  const { token } = ResetSearch.parse(useSearch({ strict: false }))
  const form = useEditForm({
    values: { password: '', again: '' },
    schema: NewPassword,
    saysSaved: false,
    saysFailed: false,
    save: ({ password }) => call(setForgottenPassword, { body: { token: token ?? '', password } }),
    onSaved: () => void navigate({ to: paths.login(), search: { notice: 'password_changed' } }),
  })
  const labels = { password: t('reset.password'), again: t('reset.again') }
  const dead = !token || (form.failure instanceof ApiError && form.failure.reason === 'reset_token_invalid')
  return (
    <AuthPage
      title={t('reset.title')}
      {...(!dead && { text: t('reset.text') })}
      footer={<TextLink to={paths.login()}>{t('forgot.backToLogin')}</TextLink>}
    >
      {dead ? (
        <>
          <Notice tone="warning">{t('reset.noToken')}</Notice>
          <ButtonLink to={paths.forgot()}>{t('reset.requestNew')}</ButtonLink>
        </>
      ) : (
        <Form onSubmit={() => form.submit()}>
          <Stack>
            <ErrorSummary form={form} labels={labels} />
            <SecretField
              label={labels.password}
              description={t('signup.passwordHelp')}
              autoComplete="new-password"
              {...form.field('password')}
            />
            <SecretField label={labels.again} autoComplete="new-password" {...form.field('again')} />
            <Button type="submit" loading={form.saving}>
              {t('reset.submit')}
            </Button>
          </Stack>
        </Form>
      )}
      <LeaveGuard form={form} />
    </AuthPage>
  )
}

import { Button, Checkbox, Stack, TextInput } from '@mantine/core'
import { signUp } from '@okaeri/contract/sessions/routes'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type ReactNode, useMemo } from 'react'
import { call } from '../../api/call.ts'
import { queryClient } from '../../api/queries.ts'
import { keepTokens } from '../../api/session.ts'
import { useLanguage, useWords } from '../../app/i18n.ts'
import { paths } from '../../app/paths.ts'
import { useEditForm } from '../../ui/edit/edit-form.ts'
import { ErrorSummary, LeaveGuard } from '../../ui/pages/edit-page.tsx'
import { Form } from '../../ui/form.tsx'
import { TextLink } from '../../ui/links.tsx'
import { Notice } from '../../ui/notice.tsx'
import { SecretField } from '../../ui/secret-field.tsx'
import { AuthPage } from './auth-page.tsx'
import { Agreement, useDoor } from './policies.tsx'
import { SignupSearch } from './search.ts'

const empty = { site_name: '', email: '', password: '', agreement: false }

/** A visitor who cannot sign up here sees that before they type. */
export function SignupPage() {
  const t = useWords('sessions')
  const { invitation } = SignupSearch.parse(useSearch({ strict: false }))
  const { door } = useDoor()
  const toLogin = (
    <>
      {t('signup.haveAccount')} <TextLink to={paths.login()}>{t('login.submit')}</TextLink>
    </>
  )
  if (door === undefined || door === 'open' || (door === 'invite' && invitation)) return <SignupForm footer={toLogin} />
  return (
    <AuthPage title={t('signup.title')} footer={toLogin}>
      <Notice tone="warning" title={t(`signup.${door}Title`)}>
        {t(`signup.${door}`)}
      </Notice>
    </AuthPage>
  )
}

function SignupForm({ footer }: { footer: ReactNode }) {
  const t = useWords('sessions')
  const { email: invited = '', invitation } = SignupSearch.parse(useSearch({ strict: false }))
  const language = useLanguage()
  const navigate = useNavigate()
  const form = useEditForm({
    values: useMemo(() => ({ ...empty, email: invited }), [invited]),
    schema: signUp.body,
    saysSaved: false,
    saysFailed: false,
    save: async ({ site_name, email, password }) => {
      const tokens = await call(signUp, {
        body: { site_name, email, password, language, agreement: true, ...(invitation ? { invitation } : {}) },
      })
      queryClient.clear()
      keepTokens(tokens)
    },
    onSaved: () => void navigate({ to: paths.dashboard() }),
  })
  const labels = {
    site_name: t('signup.siteName'),
    email: t('login.email'),
    password: t('login.password'),
    agreement: t('signup.agreementName'),
  }
  return (
    <AuthPage title={t('signup.title')} footer={footer} saysPolicies>
      <Notice>{t('signup.testMode')}</Notice>
      {/* All fields are in sight and say themselves what is wrong with them. */}
      {Object.keys(form.errors).length === 0 && <ErrorSummary form={form} labels={labels} />}
      <Form onSubmit={() => form.submit()}>
        <Stack>
          <TextInput
            label={labels.site_name}
            description={t('signup.siteNameHelp')}
            autoComplete="organization"
            {...form.field('site_name')}
          />
          <TextInput label={labels.email} type="email" autoComplete="username" {...form.field('email')} />
          <SecretField
            label={labels.password}
            description={t('signup.passwordHelp')}
            autoComplete="new-password"
            {...form.field('password')}
          />
          <Checkbox label={<Agreement />} {...form.field('agreement', { type: 'checkbox' })} />
          <Button type="submit" loading={form.saving}>
            {t('signup.submit')}
          </Button>
        </Stack>
      </Form>
      <LeaveGuard form={form} />
    </AuthPage>
  )
}

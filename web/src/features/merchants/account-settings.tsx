import { Button, Group, Select, TextInput } from '@mantine/core'
import { EmailAddress, line } from '@okaeri/contract/fields'
import { Locale } from '@okaeri/contract/locale'
import { changeMember } from '@okaeri/contract/merchants/routes'
import { changePassword, Password as PasswordRule, requestReset } from '@okaeri/contract/sessions/routes'
import { useMutation } from '@tanstack/react-query'
import { useMemo } from 'react'
import { z } from 'zod'
import { call } from '../../api/call.ts'
import { refresh } from '../../api/queries.ts'
import { keepTokens } from '../../api/session.ts'
import { languageChoices, showLanguage, useWords } from '../../app/i18n.ts'
import { useMerchant } from '../../app/merchant.tsx'
import { errorText } from '../../app/reasons.ts'
import { changesOf } from '../../ui/edit/changes.ts'
import { useEditForm } from '../../ui/edit/edit-form.ts'
import { EditBody, EditSection, ErrorSummary, LeaveGuard } from '../../ui/pages/edit-page.tsx'
import { Form } from '../../ui/form.tsx'
import { Notice } from '../../ui/notice.tsx'
import { SecretField } from '../../ui/secret-field.tsx'

export function AccountSettings() {
  return (
    <>
      <SignInDetails />
      {useMerchant().member.has_password ? <PasswordChange /> : <FirstPassword />}
    </>
  )
}

const Details = z.object({ name: line(0, 100), email: EmailAddress, language: Locale, current_password: z.string() })

function SignInDetails() {
  const t = useWords('merchants')
  const ui = useWords('ui')
  const { member, confirmations } = useMerchant()
  const pending = confirmations.find(({ purpose }) => purpose === 'sign_in')
  const form = useEditForm({
    values: useMemo(
      () => ({ name: member.name, email: member.email, language: member.language, current_password: '' }),
      [member],
    ),
    schema: Details,
    emptiesAfterSave: true,
    save: async (values, began) => {
      const { current_password, ...change } = changesOf(began, values)
      await call(changeMember, {
        body: { ...change, ...(change.email && current_password ? { current_password } : {}) },
      })
      await refresh('settings')
      await showLanguage(values.language)
    },
  })
  return (
    <EditBody
      form={form}
      labels={{
        name: t('account.name'),
        email: t('account.email'),
        current_password: t('account.emailPassword'),
        language: t('account.language'),
      }}
    >
      <EditSection
        title={t('account.title')}
        description={ui('labelled', { label: t('account.role'), value: t(`account.roles.${member.role}`) })}
      >
        <TextInput label={t('account.name')} autoComplete="name" {...form.field('name')} />
        <TextInput label={t('account.email')} type="email" autoComplete="username" {...form.field('email')} />
        {member.has_password && form.values.email.trim().toLowerCase() !== member.email.toLowerCase() && (
          <SecretField
            label={t('account.emailPassword')}
            description={t('account.emailPasswordHelp')}
            autoComplete="current-password"
            {...form.field('current_password')}
          />
        )}
        {pending && <Notice>{t('account.emailPending', { email: pending.email })}</Notice>}
        <Select label={t('account.language')} data={languageChoices} {...form.field('language')} />
      </EditSection>
    </EditBody>
  )
}

/** For who came through the store: a link proves the address they will sign in by. */
function FirstPassword() {
  const t = useWords('merchants')
  const { email } = useMerchant().member
  const link = useMutation({ mutationFn: () => call(requestReset, { body: { email } }) })
  return (
    <EditSection title={t('password.firstTitle')} description={t('password.firstText')}>
      {link.error && <Notice tone="danger">{errorText(link.error)}</Notice>}
      {link.isSuccess && <Notice>{t('password.firstSent', { email })}</Notice>}
      <Group>
        <Button variant="default" loading={link.isPending} onClick={() => link.mutate()}>
          {t('password.firstSubmit')}
        </Button>
      </Group>
    </EditSection>
  )
}

const NewPassword = z
  .object({ current_password: z.string().min(1, 'required'), password: PasswordRule, again: z.string() })
  .refine(({ password, again }) => password === again, { path: ['again'], error: 'passwords_differ' })
const empty = { current_password: '', password: '', again: '' }

function PasswordChange() {
  const t = useWords('merchants')
  const form = useEditForm({
    values: empty,
    schema: NewPassword,
    emptiesAfterSave: true,
    save: async ({ current_password, password }) => {
      keepTokens(await call(changePassword, { body: { current_password, password } }))
    },
  })
  const labels = { current_password: t('password.current'), password: t('password.new'), again: t('password.again') }
  return (
    <Form onSubmit={() => form.submit()}>
      <EditSection title={t('password.title')} description={t('password.text')}>
        <ErrorSummary form={form} labels={labels} />
        <SecretField
          label={labels.current_password}
          autoComplete="current-password"
          {...form.field('current_password')}
        />
        <SecretField
          label={labels.password}
          description={t('password.newHelp')}
          autoComplete="new-password"
          {...form.field('password')}
        />
        <SecretField label={labels.again} autoComplete="new-password" {...form.field('again')} />
        <Group>
          <Button type="submit" variant="default" loading={form.saving} disabled={!form.dirty}>
            {t('password.submit')}
          </Button>
        </Group>
      </EditSection>
      <LeaveGuard form={form} />
    </Form>
  )
}

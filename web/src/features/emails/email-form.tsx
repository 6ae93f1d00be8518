import { Radio, Select, Stack, TextInput } from '@mantine/core'
import { type Email, EmailFields } from '@okaeri/contract/emails/email'
import { changeEmail, createEmail, getEmail } from '@okaeri/contract/emails/routes'
import { type StarterKey, starterKeys, starters } from '@okaeri/contract/emails/starters'
import { Locale } from '@okaeri/contract/locale'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useRef } from 'react'
import { z } from 'zod'
import { call } from '../../api/call.ts'
import { queryOf, refresh } from '../../api/queries.ts'
import { languageChoices, useLanguage, useWords } from '../../app/i18n.ts'
import { useMerchant } from '../../app/merchant.tsx'
import { paths } from '../../app/paths.ts'
import { useEditForm } from '../../ui/edit/edit-form.ts'
import { EditPage, EditPageLoading, EditSection } from '../../ui/pages/edit-page.tsx'
import { firstTexts } from './first-texts.ts'
import { SenderChoice } from './sender-choice.tsx'
import { StarterGallery } from './starter-gallery.tsx'
import { saveChanges, withoutClash } from '../../ui/edit/edit-conflict.ts'
import { EditConflictNotice } from '../../ui/edit/edit-conflict-notice.tsx'

/** A text field holds '' where the email holds null. */
type Values = Record<'name' | 'subject' | 'preheader' | 'from_name' | 'from_email', string>

const bodyOf = (values: Values) => ({
  ...values,
  from_name: values.from_name.trim() || null,
  from_email: values.from_email.trim() || null,
})

const { name, subject, preheader, from_email, from_name } = EmailFields
const Properties = z.preprocess(
  (values) => bodyOf(values as Values),
  z.object({ name, subject, preheader, from_email, from_name }),
)

function useLabels(): Record<string, string> {
  const t = useWords('emails')
  return {
    name: t('name'),
    subject: t('subject'),
    preheader: t('preheader'),
    from_name: t('sender.name'),
    from_email: t('sender.email'),
    language: t('form.language'),
  }
}

/** The fields a new email and an old one have in common. */
function PropertyFields({
  form,
}: {
  form: {
    field: (path: keyof Values) => object
    set: (path: 'from_name' | 'from_email', value: string) => void
    values: Values
  }
}) {
  const t = useWords('emails')
  return (
    <>
      <EditSection title={t('form.basics')}>
        <TextInput label={t('name')} description={t('nameHelp')} withAsterisk {...form.field('name')} />
        <TextInput label={t('subject')} withAsterisk {...form.field('subject')} />
        <TextInput label={t('preheader')} description={t('preheaderHelp')} {...form.field('preheader')} />
      </EditSection>
      <EditSection title={t('sender.title')} description={t('sender.text')}>
        <SenderChoice form={form} />
      </EditSection>
    </>
  )
}

/** Add: what is needed first, then straight into the editor. */
export function EmailNew() {
  const t = useWords('emails')
  const navigate = useNavigate()
  const shown = useLanguage()
  const { setting, mayChange } = useMerchant()
  const made = useRef<Email | null>(null)
  const form = useEditForm<Values & { language: Locale; starter: StarterKey; type: Email['type'] }>({
    values: {
      // Customers read it, so it begins in the store's language.
      ...firstTexts('newsletter', { shown, written: setting.language }),
      from_name: '',
      from_email: '',
      language: setting.language,
      starter: 'newsletter',
      type: 'VISUAL',
    },
    schema: Properties,
    save: async ({ language, starter, type, ...rest }) => {
      made.current = (await call(createEmail, { body: { ...bodyOf(rest), language, starter, type } })).email
      void refresh('emails')
    },
    onSaved: () => {
      // In place of the form: going back must not offer to make it again.
      if (made.current) void navigate({ to: paths.emailEditor(made.current.id), replace: true })
    },
  })
  /** Texts that were not edited follow the template. */
  const begin = (language: Locale, starter: StarterKey) => {
    const before = firstTexts(form.values.starter, { shown, written: form.values.language })
    const after = firstTexts(starter, { shown, written: language })
    for (const path of ['name', 'subject', 'preheader'] as const)
      if (form.values[path] === '' || form.values[path] === before[path]) form.set(path, after[path])
    form.set('language', language)
    form.set('starter', starter)
  }
  return (
    <EditPage
      title={t('form.newTitle')}
      back={{ to: paths.emails(), label: t('back') }}
      form={form}
      labels={useLabels()}
      saveLabel={t('form.create')}
      always
      onCancel={() => void navigate({ to: paths.emails() })}
      readOnlyReason={!mayChange && t('readOnly')}
    >
      <EditSection title={t('form.typeTitle')}>
        <Radio.Group
          aria-label={t('form.typeTitle')}
          value={form.values.type}
          onChange={(type) => form.set('type', type === 'HTML' ? 'HTML' : 'VISUAL')}
        >
          <Stack gap="sm">
            <Radio value="VISUAL" label={t('form.visual')} description={t('form.visualHelp')} />
            <Radio value="HTML" label={t('form.html')} description={t('form.htmlHelp')} />
          </Stack>
        </Radio.Group>
      </EditSection>
      <EditSection title={t('form.starterTitle')} description={t('form.languageHelp')}>
        {form.values.type === 'VISUAL' && (
          <StarterGallery
            language={form.values.language}
            value={form.values.starter}
            onChange={(starter) => begin(form.values.language, starter)}
          />
        )}
        {form.values.type === 'HTML' && (
          <Select
            label={t('form.starter')}
            data={starterKeys.map((value) => ({ value, label: starters[value].name[shown] }))}
            value={form.values.starter}
            allowDeselect={false}
            onChange={(value) => value && begin(form.values.language, value as StarterKey)}
          />
        )}
        <Select
          label={t('form.language')}
          data={languageChoices}
          value={form.values.language}
          allowDeselect={false}
          onChange={(value) => begin(Locale.parse(value), form.values.starter)}
          w={220}
        />
      </EditSection>
      <PropertyFields form={form} />
    </EditPage>
  )
}

export function EmailProperties() {
  const t = useWords('emails')
  const { id = '' }: { id?: string } = useParams({ strict: false })
  const query = useQuery(queryOf(getEmail, { params: { id } }))
  const back = { to: paths.email(id), label: t('backToEmail') }
  if (!query.data) return <EditPageLoading title={t('form.editTitle')} back={back} query={query} />
  return <PropertiesForm email={query.data.email} />
}

function PropertiesForm({ email }: { email: Email }) {
  const t = useWords('emails')
  const navigate = useNavigate()
  const { mayChange } = useMerchant()
  const leave = () => void navigate({ to: paths.email(email.id) })
  const labels = useLabels()
  const saved: Values = {
    name: email.name,
    subject: email.subject,
    preheader: email.preheader,
    from_name: email.from_name ?? '',
    from_email: email.from_email ?? '',
  }
  const form = useEditForm<Values>({
    values: saved,
    schema: Properties,
    save: (values, began, seen) =>
      saveChanges((body) => call(changeEmail, { params: { id: email.id }, body }), {
        began: bodyOf(began),
        now: bodyOf(values),
        seen: bodyOf(seen),
      }),
    onSaved: leave,
  })
  return (
    <EditPage
      title={t('form.editTitle')}
      back={{ to: paths.email(email.id), label: t('backToEmail') }}
      description={t('editor.reservedKeep')}
      form={withoutClash(form)}
      labels={labels}
      always
      onCancel={leave}
      readOnlyReason={!mayChange && t('readOnly')}
    >
      <EditConflictNotice form={form} saved={saved} labels={labels} overwrite={form.overwrite} />
      <PropertyFields form={form} />
    </EditPage>
  )
}

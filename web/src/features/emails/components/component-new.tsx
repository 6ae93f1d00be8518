import { TextInput } from '@mantine/core'
import { type EmailComponent, EmailComponentFields } from '@okaeri/contract/emails/component'
import { ComponentKey, componentTag } from '@okaeri/contract/emails/component-key'
import { createEmailComponent } from '@okaeri/contract/emails/component-routes'
import { useNavigate } from '@tanstack/react-router'
import { useRef } from 'react'
import { z } from 'zod'
import { call } from '../../../api/call.ts'
import { refresh } from '../../../api/queries.ts'
import { useWords } from '../../../app/i18n.ts'
import { useMerchant } from '../../../app/merchant.tsx'
import { paths } from '../../../app/paths.ts'
import { useEditForm } from '../../../ui/edit/edit-form.ts'
import { EditPage, EditSection } from '../../../ui/pages/edit-page.tsx'
import { words } from '../words.ts'

export function ComponentNew() {
  const t = useWords('emails')
  const navigate = useNavigate()
  const { setting, mayChange } = useMerchant()
  const made = useRef<EmailComponent | null>(null)
  const form = useEditForm({
    values: { name: '', key: '' },
    schema: z.object({ name: EmailComponentFields.name, key: z.literal('').or(ComponentKey) }),
    save: async ({ name, key }) => {
      // Customers read it, so it begins in the store's language.
      const content = words.components.firstContent[setting.language]
      made.current = (
        await call(createEmailComponent, { body: { name, content, ...(key && { key }) } })
      ).email_component
      void refresh('emails')
    },
    onSaved: () => {
      // In place of the form: going back must not offer to make it again.
      if (made.current) void navigate({ to: paths.emailComponent(made.current.id), replace: true })
    },
  })
  return (
    <EditPage
      title={t('components.newTitle')}
      description={t('components.newText')}
      back={{ to: paths.emailComponents(), label: t('components.back') }}
      form={form}
      labels={{ name: t('components.name'), key: t('components.key') }}
      saveLabel={t('components.create')}
      always
      onCancel={() => void navigate({ to: paths.emailComponents() })}
      readOnlyReason={!mayChange && t('readOnly')}
    >
      <EditSection title={t('form.basics')}>
        <TextInput label={t('components.name')} description={t('nameHelp')} withAsterisk {...form.field('name')} />
        <TextInput
          label={t('components.key')}
          description={t('components.keyHelp', { tag: componentTag(form.values.key || 'footer') })}
          placeholder="footer"
          autoCapitalize="off"
          spellCheck={false}
          {...form.field('key')}
        />
      </EditSection>
    </EditPage>
  )
}

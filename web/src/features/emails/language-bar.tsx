import { Button, Group, SegmentedControl, Text } from '@mantine/core'
import type { Email } from '@okaeri/contract/emails/email'
import { type Locale, languageNames, locales } from '@okaeri/contract/locale'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { refresh } from '../../api/queries.ts'
import { useWords, word } from '../../app/i18n.ts'
import { useMerchant } from '../../app/merchant.tsx'
import { confirm } from '../../ui/confirm.tsx'
import { toast } from '../../ui/toast.ts'
import { addLanguage, type EmailLanguage, removeLanguage, useLanguageName } from './email-language.ts'
import classes from './language-bar.module.css'

interface LanguageSwitchProps {
  languages: readonly EmailLanguage[]
  value: EmailLanguage
  onChange: (language: EmailLanguage) => void
  size?: 'xs' | 'sm'
}

/** Which of an email's languages is shown; nothing where there is one. */
export function LanguageSwitch({ languages, value, onChange, size = 'sm' }: LanguageSwitchProps) {
  const t = useWords('emails')
  const nameOf = useLanguageName()
  if (languages.length < 2) return null
  return (
    <SegmentedControl
      size={size}
      aria-label={t('languages.label')}
      value={value ?? 'base'}
      onChange={(chosen) => onChange(languages.find((one) => (one ?? 'base') === chosen) ?? null)}
      data={languages.map((one) => ({ value: one ?? 'base', label: nameOf(one) }))}
    />
  )
}

interface LanguageBarProps {
  email: Email
  language: EmailLanguage
  onChange: (language: EmailLanguage) => void
  /** There are unsaved changes. */
  dirty: boolean
}

/** The languages of an email: which one is edited, and adding and removing one. */
export function LanguageBar({ email, language, onChange, dirty }: LanguageBarProps) {
  const t = useWords('emails')
  const { mayChange, setting } = useMerchant()
  const nameOf = useLanguageName()
  const [busy, setBusy] = useState(false)
  const missing = locales.filter((one) => one !== setting.language && !email.languages.includes(one))
  const run = async (change: () => Promise<unknown>, after: EmailLanguage) => {
    setBusy(true)
    try {
      await change()
      await refresh('emails')
      onChange(after)
    } catch (error) {
      toast.failed(error)
    } finally {
      setBusy(false)
    }
  }
  const add = (one: Locale) => {
    if (dirty) return void toast.error(t('languages.unsaved'))
    void run(() => addLanguage(email, one), one)
  }
  const askAndRemove = async (one: Locale) => {
    const sure = await confirm({
      title: word('emails', 'languages.removeAsk', { language: languageNames[one] }),
      body: word('emails', 'languages.removeBody', { base: nameOf(null) }),
      confirmLabel: word('emails', 'languages.remove', { language: languageNames[one] }),
      danger: true,
    })
    if (sure) await run(() => removeLanguage(email, one), null)
  }
  return (
    <Group gap="sm" className={classes.bar} role="group" aria-label={t('languages.title')}>
      <Text size="sm" fw={600}>
        {t('languages.title')}
      </Text>
      {email.languages.length === 0 ? (
        <Text size="sm">{nameOf(null)}</Text>
      ) : (
        <LanguageSwitch languages={[null, ...email.languages]} value={language} onChange={onChange} />
      )}
      {mayChange &&
        missing.map((one) => (
          <Button
            key={one}
            size="xs"
            variant="default"
            loading={busy}
            leftSection={<IconPlus size={16} aria-hidden />}
            onClick={() => add(one)}
          >
            {t('languages.add', { language: languageNames[one] })}
          </Button>
        ))}
      {mayChange && language !== null && (
        <Button
          size="xs"
          variant="subtle"
          color="red"
          loading={busy}
          leftSection={<IconTrash size={16} aria-hidden />}
          onClick={() => void askAndRemove(language)}
        >
          {t('languages.remove', { language: languageNames[language] })}
        </Button>
      )}
      <Text size="xs" c="dimmed" className={classes.help}>
        {t(email.languages.length === 0 ? 'languages.none' : 'languages.how', { base: nameOf(null) })}
      </Text>
    </Group>
  )
}

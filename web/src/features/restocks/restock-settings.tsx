import { Checkbox, NumberInput, SimpleGrid, Text, TextInput } from '@mantine/core'
import {
  restockTextNames,
  type RestockSettings as Settings,
  RestockSettings as SettingsSchema,
} from '@okaeri/contract/restocks/settings'
import { changeRestockSettings, getRestockSettings } from '@okaeri/contract/restocks/wave-routes'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { queryOf, refresh } from '../../api/queries.ts'
import { useWords } from '../../app/i18n.ts'
import { useMerchant } from '../../app/merchant.tsx'
import { paths } from '../../app/paths.ts'
import { changesOf } from '../../ui/edit/changes.ts'
import { useEditForm } from '../../ui/edit/edit-form.ts'
import { EditBody, EditSection } from '../../ui/pages/edit-page.tsx'
import { TextLink } from '../../ui/links.tsx'
import { LoadFailed, Loading } from '../../ui/states.tsx'
import { words } from './words.ts'

const numbers = ['people_per_unit', 'wave_minutes', 'settle_minutes'] as const

/** Settings, restock (spec §2): how people are notified, the buttons and popups, and the ways to register. */
export function RestockSettings() {
  const query = useQuery(queryOf(getRestockSettings, {}))
  const settings = query.data?.restock_settings
  if (!settings)
    return query.error ? <LoadFailed error={query.error} retry={() => void query.refetch()} /> : <Loading lines={6} />
  return <Editor settings={settings} />
}

function Editor({ settings }: { settings: Settings }) {
  const t = useWords('restocks')
  const { mayChange } = useMerchant()
  const form = useEditForm<Settings>({
    values: settings,
    schema: SettingsSchema,
    fieldPrefix: 'restock_settings.',
    save: async (values, began) => {
      await call(changeRestockSettings, { body: { restock_settings: changesOf(began, values) } })
      await refresh('settings', 'restock')
    },
  })
  const labelOf = (name: (typeof restockTextNames)[number], language: 'ja' | 'en'): string =>
    t(language === 'ja' ? 'settings.inJa' : 'settings.inEn', { label: t(`settings.text.${name}`) })
  const labels = Object.fromEntries([
    ...numbers.map((name) => [name, t(`settings.${name}`)]),
    ...restockTextNames.flatMap((name) =>
      (['ja', 'en'] as const).map((language) => [`texts.${name}.${language}`, labelOf(name, language)]),
    ),
  ]) as Record<string, string>
  return (
    <EditBody form={form} labels={labels} readOnlyReason={!mayChange && t('viewerMayNot')}>
      <EditSection title={t('settings.wavesTitle')} description={t('settings.wavesText')}>
        {numbers.map((name) => (
          <NumberInput
            key={name}
            label={t(`settings.${name}`)}
            description={t(`settings.${name}Help`)}
            allowDecimal={false}
            allowNegative={false}
            maw={480}
            {...form.field(name)}
          />
        ))}
        <Checkbox
          label={t('settings.asks_again')}
          description={t('settings.asks_againHelp')}
          {...form.field('asks_again', { type: 'checkbox' })}
        />
      </EditSection>
      <EditSection title={t('settings.storefrontTitle')} description={t('settings.storefrontText')}>
        <Checkbox label={t('settings.email_button')} {...form.field('email_button', { type: 'checkbox' })} />
        <Checkbox label={t('settings.line_button')} {...form.field('line_button', { type: 'checkbox' })} />
        <Checkbox
          label={t('settings.confirms_address')}
          description={t('settings.confirms_addressHelp')}
          {...form.field('confirms_address', { type: 'checkbox' })}
        />
        <Checkbox label={t('settings.sends_receipt')} {...form.field('sends_receipt', { type: 'checkbox' })} />
        <Checkbox
          label={t('settings.sends_line_receipt')}
          description={t('settings.sends_line_receiptHelp')}
          {...form.field('sends_line_receipt', { type: 'checkbox' })}
        />
        <Text size="sm">
          <TextLink to={paths.settings()} search={{ tab: 'widget' }}>
            {t('settings.toWidget')}
          </TextLink>
        </Text>
      </EditSection>
      <EditSection title={t('settings.textsTitle')} description={t('settings.textsText')}>
        {restockTextNames.map((name) => (
          <SimpleGrid key={name} cols={{ base: 1, sm: 2 }} spacing="sm">
            {(['ja', 'en'] as const).map((language) => (
              <TextInput
                key={language}
                label={labelOf(name, language)}
                lang={language}
                placeholder={words.settings.plain[name][language]}
                maxLength={200}
                {...form.field(`texts.${name}.${language}`)}
              />
            ))}
          </SimpleGrid>
        ))}
      </EditSection>
    </EditBody>
  )
}

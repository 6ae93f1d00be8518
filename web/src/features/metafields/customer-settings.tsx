import { Autocomplete, List, NumberInput, Switch, Text, Textarea } from '@mantine/core'
import { type CustomerSetting, MetafieldKey } from '@okaeri/contract/metafields/metafield'
import { changeCustomerSetting, getCustomerSetting, listMetafieldDefinitions } from '@okaeri/contract/metafields/routes'
import { changeStorefrontSettings, getStorefrontSettings } from '@okaeri/contract/storefront-settings/routes'
import {
  defaultConsentWording,
  MAX_BIRTHDAY_CHANGES,
  StorefrontSettings,
} from '@okaeri/contract/storefront-settings/settings'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { z } from 'zod'
import { call } from '../../api/call.ts'
import { queryOf, refresh } from '../../api/queries.ts'
import { useFormat } from '../../app/format.ts'
import { useLanguage, useWords } from '../../app/i18n.ts'
import { useMerchant } from '../../app/merchant.tsx'
import { paths } from '../../app/paths.ts'
import { Facts } from '../../ui/pages/detail-page.tsx'
import { useEditForm } from '../../ui/edit/edit-form.ts'
import { EditBody, EditSection } from '../../ui/pages/edit-page.tsx'
import { TextLink } from '../../ui/links.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Loading, LoadFailed } from '../../ui/states.tsx'
import { reasonTextOr } from './failure.ts'
import { FillProgress, IDLE_POLL_MS, isMoving, MetafieldStatus, POLL_MS } from './metafield-status.tsx'

/** Empty: none. Spec §5: 'Please enter the birthday metafield as namespace.key'. */
const Values = z.object({
  birthday_metafield: z
    .string()
    .refine((text) => text.trim() === '' || MetafieldKey.safeParse(text).success, 'birthday_metafield_form'),
  ...StorefrontSettings.shape,
})
/** This many customers whose value is not a date are named. */
const NAMED = 5
/** The types a birthday may have in the store. */
const BIRTHDAY_TYPES = ['date', 'date_time', 'single_line_text_field']

/** Settings, customer (spec §2): the birthday metafield with its save button, the state of the birthdays, and what customers enter in the store. */
export function CustomerSettings() {
  const query = useQuery({
    ...queryOf(getCustomerSetting, {}),
    refetchInterval: ({ state }) => {
      const birthdays = state.data?.customerSetting.birthdays
      return birthdays && isMoving(birthdays.status) ? POLL_MS : IDLE_POLL_MS
    },
  })
  const storefront = useQuery(queryOf(getStorefrontSettings, {}))
  const setting = query.data?.customerSetting
  const settings = storefront.data?.storefront_settings
  const failed = query.error ? query : storefront.error ? storefront : null
  if (!setting || !settings)
    return failed?.error ? (
      <LoadFailed error={failed.error} retry={() => void failed.refetch()} />
    ) : (
      <Loading lines={6} />
    )
  return <Editor setting={setting} settings={settings} />
}

function Editor({ setting, settings }: { setting: CustomerSetting; settings: StorefrontSettings }) {
  const t = useWords('metafields')
  const { mayChange, store } = useMerchant()
  const saved = setting.birthday_metafield ?? ''
  const definitions = useQuery({
    ...queryOf(listMetafieldDefinitions, {}),
    enabled: store?.status === 'connected',
    retry: false,
  })
  const likely = (definitions.data?.definitions ?? []).filter(({ value_type: type }) => BIRTHDAY_TYPES.includes(type))
  const form = useEditForm({
    values: useMemo(() => ({ birthday_metafield: saved, ...settings }), [saved, settings]),
    schema: Values,
    fieldPrefix: 'customerSetting.',
    save: async ({ birthday_metafield: typed, ...wanted }, { birthday_metafield: before, ...began }) => {
      const changed = Object.entries(wanted).filter(([name, value]) => began[name as keyof typeof began] !== value)
      if (changed.length > 0)
        await call(changeStorefrontSettings, { body: { storefront_settings: Object.fromEntries(changed) } })
      if (typed !== before)
        await call(changeCustomerSetting, { body: { customerSetting: { birthday_metafield: typed.trim() || null } } })
      await refresh('metafields', 'customers', 'segments', 'settings')
    },
  })
  return (
    <EditBody
      form={form}
      labels={{
        birthday_metafield: t('setting.field'),
        birthday_changes: t('setting.changes'),
        consent_wording_ja: t('setting.wordingJa'),
        consent_wording_en: t('setting.wordingEn'),
      }}
      readOnlyReason={!mayChange && t('viewerMayNot')}
    >
      <EditSection title={t('setting.title')} description={t('setting.text')}>
        <Autocomplete
          label={t('setting.field')}
          description={t('setting.help')}
          placeholder="facts.birth_date"
          autoCapitalize="none"
          spellCheck={false}
          // Above the field: below, the suggestions would cover the save button. None are left once the key is typed.
          comboboxProps={{ position: 'top-start' }}
          data={likely.some(({ key }) => key === form.values.birthday_metafield) ? [] : likely.map(({ key }) => key)}
          renderOption={({ option }) => (
            <span>
              {option.value}
              <span style={{ display: 'block', fontSize: 12, color: 'var(--mantine-color-dimmed)' }}>
                {likely.find(({ key }) => key === option.value)?.name}
              </span>
            </span>
          )}
          {...form.field('birthday_metafield')}
        />
        {setting.birthdays && <Birthdays birthdays={setting.birthdays} />}
        <NumberInput
          label={t('setting.changes')}
          description={t('setting.changesHelp')}
          min={0}
          max={MAX_BIRTHDAY_CHANGES}
          clampBehavior="none"
          allowDecimal={false}
          {...form.field('birthday_changes')}
        />
      </EditSection>
      <EditSection title={t('setting.consentTitle')} description={t('setting.consentText')}>
        <Textarea
          label={t('setting.wordingJa')}
          placeholder={defaultConsentWording.ja}
          autosize
          minRows={2}
          {...form.field('consent_wording_ja')}
        />
        <Textarea
          label={t('setting.wordingEn')}
          placeholder={defaultConsentWording.en}
          autosize
          minRows={2}
          {...form.field('consent_wording_en')}
        />
        <Switch
          label={t('setting.doubleOptIn')}
          description={t('setting.doubleOptInHelp')}
          {...form.field('double_opt_in', { type: 'checkbox' })}
        />
        {!form.values.double_opt_in && <Notice tone="warning">{t('setting.singleOptIn')}</Notice>}
      </EditSection>
      <EditSection title={t('setting.behaviorTitle')} description={t('setting.behaviorText')}>
        <List size="sm">
          {(['who', 'guests', 'howLong', 'policy'] as const).map((rule) => (
            <List.Item key={rule}>{t(`setting.behaviorRules.${rule}`)}</List.Item>
          ))}
        </List>
        <Switch
          label={t('setting.behavior')}
          description={t('setting.behaviorHelp')}
          {...form.field('records_behavior', { type: 'checkbox' })}
        />
        <Switch
          label={t('setting.carts')}
          description={t('setting.cartsHelp')}
          {...form.field('records_carts', { type: 'checkbox' })}
        />
        {(settings.records_behavior && !form.values.records_behavior) ||
        (settings.records_carts && !form.values.records_carts) ? (
          <Notice tone="warning">{t('setting.behaviorOff')}</Notice>
        ) : null}
      </EditSection>
    </EditBody>
  )
}

function Birthdays({ birthdays }: { birthdays: NonNullable<CustomerSetting['birthdays']> }) {
  const t = useWords('metafields')
  const format = useFormat()
  const language = useLanguage()
  const { store } = useMerchant()
  const { status, unreadable, unreadable_count: count } = birthdays
  const named = unreadable.slice(0, NAMED)
  const people = (n: number) => t('people', { count: n, n: format.number(n) })
  return (
    <>
      {birthdays.progress && <FillProgress label={t('setting.progress')} progress={birthdays.progress} />}
      {status === 'waiting' && (
        <Notice>{t(store?.status === 'connected' ? 'setting.waiting' : 'page.waitingStore')}</Notice>
      )}
      {status === 'failed' && (
        <Notice tone="danger">{t('page.failed', { error: reasonTextOr(birthdays.error, language) })}</Notice>
      )}
      <Facts
        items={[
          { label: t('status.label'), value: <MetafieldStatus status={status} /> },
          { label: t('setting.read'), value: people(birthdays.read_count) },
          { label: t('setting.unreadable'), value: people(count) },
          {
            label: t('setting.filledAt'),
            value: birthdays.filled_at ? format.dateTime(birthdays.filled_at) : t('page.never'),
          },
        ]}
      />
      {count > 0 && (
        <Notice tone="warning" title={t('setting.unreadableTitle', { count, n: format.number(count) })}>
          <Text size="sm">{t('setting.unreadableText')}</Text>
          <List size="sm" mt={6}>
            {named.map(({ customer_id: id, name, value }) => (
              <List.Item key={id}>
                <TextLink to={paths.customer(id)} underline="always">
                  {name || '—'}
                </TextLink>
                {t('setting.unreadableValue', { value })}
              </List.Item>
            ))}
            {count > named.length && (
              <List.Item>
                {t('setting.unreadableMore', { count: count - named.length, n: format.number(count - named.length) })}
              </List.Item>
            )}
          </List>
        </Notice>
      )}
      <Text size="sm">
        <TextLink to={paths.metafield(birthdays.metafield_setting_id)}>{t('setting.openMetafield')}</TextLink>
      </Text>
    </>
  )
}

import { Checkbox, Group, NumberInput, Select, SimpleGrid, Switch, TagsInput, TextInput } from '@mantine/core'
import { TimePicker } from '@mantine/dates'
import {
  MAX_UNDO_SECONDS,
  type UserSetting,
  UserSettingChange,
  whyTestModeStays,
} from '@okaeri/contract/merchants/merchant'
import { listCampaigns } from '@okaeri/contract/campaigns/routes'
import { LATE_HOURS } from '@okaeri/contract/late'
import { planIncludes } from '@okaeri/contract/merchants/plan-features'
import { changeSettings } from '@okaeri/contract/merchants/routes'
import { listScenarios } from '@okaeri/contract/scenarios/routes'
import { useQueries, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { z } from 'zod'
import { call } from '../../api/call.ts'
import { queryOf, refresh } from '../../api/queries.ts'
import { useFormat } from '../../app/format.ts'
import { languageChoices, useLanguage, useWords } from '../../app/i18n.ts'
import { useMerchant } from '../../app/merchant.tsx'
import { fieldReasonText, reasonTexts } from '../../app/reasons.ts'
import { UnconfirmedAddresses } from '../../app/unconfirmed-addresses.tsx'
import { changesOf } from '../../ui/edit/changes.ts'
import { confirm } from '../../ui/confirm.tsx'
import { useEditForm } from '../../ui/edit/edit-form.ts'
import { EditBody, EditSection } from '../../ui/pages/edit-page.tsx'
import { Notice } from '../../ui/notice.tsx'
import { underwayIn } from './leaving-test-mode.ts'
import { useTimeZones } from './time-zones.ts'

/** Suggested where there was none. */
const DEFAULT_CAP = 3
const DEFAULT_CANARY = 5_000

/** A text field holds '' where the setting holds null. */
const nullable = ['reply_to', 'staff_email', 'staff_phone'] as const
type Values = Omit<UserSetting, (typeof nullable)[number]> & Record<(typeof nullable)[number], string>

const valuesOf = (setting: UserSetting): Values => ({
  ...setting,
  reply_to: setting.reply_to ?? '',
  staff_email: setting.staff_email ?? '',
  staff_phone: setting.staff_phone ?? '',
})
const settingOf = (values: Values): UserSetting => ({
  ...values,
  reply_to: values.reply_to.trim() || null,
  staff_email: values.staff_email.trim() || null,
  staff_phone: values.staff_phone.trim() || null,
})
const changed = (began: Values, wanted: Values): z.input<typeof UserSettingChange> =>
  changesOf(settingOf(began), settingOf(wanted))

interface SectionProps {
  form: ReturnType<typeof useEditForm<Values>>
}

export function BasicSettings() {
  const t = useWords('merchants')
  const { setting, mayChange } = useMerchant()
  const saved = useMemo(() => valuesOf(setting), [setting])
  const form = useEditForm<Values>({
    values: saved,
    // What was never filled in is not an error until it is touched: only changes are checked, as only they are sent.
    schema: (began) => z.preprocess((values) => changed(began, values as Values), UserSettingChange),
    fieldPrefix: 'userSetting.',
    save: async (values, began) => {
      await call(changeSettings, { body: { userSetting: changed(began, values) } })
      await refresh('settings')
    },
  })
  return (
    <EditBody
      form={form}
      readOnlyReason={!mayChange && t('readOnly')}
      labels={{
        test_emails: t('testMode.emails'),
        test_mode: t('testMode.title'),
        sender_name: t('sender.name'),
        sender_email: t('sender.email'),
        reply_to: t('sender.replyTo'),
        email_provider: t('sender.provider'),
        site_name: t('shop.siteName'),
        timezone: t('shop.timezone'),
        language: t('shop.language'),
        sending_hours: t('hours.title'),
        'sending_hours.start': t('hours.start'),
        'sending_hours.end': t('hours.end'),
        postal_address: t('law.address'),
        staff_email: t('law.email'),
        staff_phone: t('law.phone'),
        attribution_days: t('attribution.days'),
        frequency_cap_count: t('cap.count'),
        frequency_cap_days: t('cap.days'),
        canary_from: t('canary.from'),
        canary_minutes: t('canary.minutes'),
        undo_seconds: t('undo.seconds'),
      }}
    >
      <TestModeSection form={form} />
      <SenderSection form={form} />
      <ShopSection form={form} />
      <HoursSection form={form} />
      <CapSection form={form} />
      <CanarySection form={form} />
      <EditSection title={t('undo.title')} description={t('undo.text')}>
        <NumberInput
          label={t('undo.seconds')}
          suffix={` ${t('undo.unit')}`}
          min={0}
          max={MAX_UNDO_SECONDS}
          allowDecimal={false}
          w={180}
          {...form.field('undo_seconds')}
        />
      </EditSection>
      <div id="business-details">
        <EditSection title={t('law.title')} description={t('law.text')}>
          <TextInput label={t('law.address')} autoComplete="street-address" {...form.field('postal_address')} />
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <TextInput label={t('law.email')} type="email" {...form.field('staff_email')} />
            <TextInput label={t('law.phone')} type="tel" {...form.field('staff_phone')} />
          </SimpleGrid>
        </EditSection>
      </div>
      <EditSection title={t('attribution.title')} description={t('attribution.text')}>
        <NumberInput
          label={t('attribution.days')}
          description={t('attribution.daysHelp')}
          suffix={` ${t('attribution.daysUnit')}`}
          min={1}
          max={30}
          allowDecimal={false}
          maw={220}
          {...form.field('attribution_days')}
        />
        <Checkbox
          label={t('attribution.opens')}
          description={t('attribution.opensHelp')}
          {...form.field('attribution_counts_opens', { type: 'checkbox' })}
        />
      </EditSection>
    </EditBody>
  )
}

function TestModeSection({ form }: SectionProps) {
  const t = useWords('merchants')
  const format = useFormat()
  const language = useLanguage()
  const { setting, plan, store } = useMerchant()
  const { values, set } = form
  const testModeStays = whyTestModeStays(plan.code, store?.under_review ?? false)
  const ofScenarios = useScenariosUnderway(setting.test_mode && testModeStays === null)
  const campaigns = useCampaignsForCustomers()
  const ofCampaigns = (word: 'testMode.enterCampaigns' | 'testMode.leaveCampaigns') =>
    campaigns > 0 && t(word, { count: campaigns, n: format.number(campaigns), hours: LATE_HOURS.campaign })
  const switchTestMode = async (on: boolean) => {
    const question = on
      ? {
          title: t('testMode.enterTitle'),
          body: [t('testMode.enterBody'), ofCampaigns('testMode.enterCampaigns'), t('testMode.enterScenarios')],
          confirmLabel: t('testMode.enter'),
        }
      : {
          title: t('testMode.leaveTitle'),
          body: [
            t('testMode.leaveBody'),
            ofCampaigns('testMode.leaveCampaigns'),
            ofScenarios,
            t('testMode.leaveReserved'),
          ],
          confirmLabel: t('testMode.leave'),
        }
    const sure =
      on === setting.test_mode ||
      (await confirm({ ...question, body: question.body.filter(Boolean).join('\n\n'), danger: true }))
    if (sure) set('test_mode', on)
  }
  const wrongTestEmail = Object.entries(form.errors).find(([path]) => path.startsWith('test_emails'))?.[1]
  return (
    <div id="test-mode">
      <EditSection title={t('testMode.title')} description={t('testMode.text')}>
        <Switch
          label={t('testMode.switch')}
          description={testModeStays && values.test_mode ? reasonTexts[testModeStays][language] : undefined}
          disabled={testModeStays !== null && values.test_mode}
          checked={values.test_mode}
          onChange={(event) => void switchTestMode(event.currentTarget.checked)}
        />
        <TagsInput
          label={t('testMode.emails')}
          description={t('testMode.emailsHelp')}
          placeholder={values.test_emails.length === 0 ? t('testMode.emailsPlaceholder') : undefined}
          acceptValueOnBlur
          maxTags={10}
          value={values.test_emails}
          onChange={(emails) => set('test_emails', emails)}
          error={wrongTestEmail && fieldReasonText(wrongTestEmail, language)}
        />
        <UnconfirmedAddresses purpose="test" emails={setting.test_emails} />
      </EditSection>
    </div>
  )
}

/** How many campaigns confirmed for customers are not sent to the end. In test mode they wait. */
function useCampaignsForCustomers(): number {
  const lists = useQueries({
    queries: (['collecting', 'reserving', 'reserved', 'waiting', 'sending'] as const).map((status) =>
      queryOf(listCampaigns, { query: { status, test_mode: 'false', limit: 1 } }),
    ),
  })
  return lists.reduce((sum, { data }) => sum + (data?.total ?? 0), 0)
}

/** What enabled scenarios do once test mode is off, in words; null where no scenario is enabled. */
function useScenariosUnderway(enabled: boolean): string | null {
  const t = useWords('merchants')
  const format = useFormat()
  const { data } = useQuery({
    ...queryOf(listScenarios, { query: { status: 'active', limit: 100, sort: 'execution_count' } }),
    enabled,
  })
  if (!data) return t('testMode.leaveScenariosUncounted')
  const underway = underwayIn(data.data, data.total)
  if (!underway) return null
  const people = format.number(underway.people)
  return [
    t('testMode.leaveScenarios', { count: underway.scenarios, n: format.number(underway.scenarios) }),
    (underway.people > 0 || underway.isAtLeast) &&
      t(underway.isAtLeast ? 'testMode.leavePeopleAtLeast' : 'testMode.leavePeople', {
        count: underway.people,
        n: people,
      }),
  ]
    .filter(Boolean)
    .join('\n')
}

function SenderSection({ form: { field } }: SectionProps) {
  const t = useWords('merchants')
  const language = useLanguage()
  const { setting, plan, senderDomainCustom } = useMerchant()
  const ownProvider = planIncludes(plan, 'mailer_choice')
  return (
    <EditSection title={t('sender.title')} description={t('sender.text')}>
      {!senderDomainCustom && setting.sender_email !== '' && <Notice tone="warning">{t('sender.notCustom')}</Notice>}
      <TextInput label={t('sender.name')} {...field('sender_name')} />
      <TextInput
        label={t('sender.email')}
        description={t('sender.emailHelp')}
        type="email"
        {...field('sender_email')}
      />
      <UnconfirmedAddresses purpose="sender" emails={[setting.sender_email]} />
      <TextInput
        label={t('sender.replyTo')}
        description={t('sender.replyToHelp')}
        type="email"
        {...field('reply_to')}
      />
      <Select
        label={t('sender.provider')}
        description={ownProvider ? undefined : reasonTexts.plan_forbids_provider[language]}
        disabled={!ownProvider}
        data={[
          { value: 'global', label: t('sender.global') },
          { value: 'domestic', label: t('sender.domestic') },
        ]}
        {...field('email_provider')}
      />
    </EditSection>
  )
}

function ShopSection({ form: { field } }: SectionProps) {
  const t = useWords('merchants')
  const zones = useTimeZones()
  return (
    <EditSection title={t('shop.title')}>
      <TextInput label={t('shop.siteName')} {...field('site_name')} />
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <Select
          label={t('shop.timezone')}
          description={t('shop.timezoneHelp')}
          searchable
          data={zones}
          {...field('timezone')}
        />
        <Select
          label={t('shop.language')}
          description={t('shop.languageHelp')}
          data={languageChoices}
          {...field('language')}
        />
      </SimpleGrid>
    </EditSection>
  )
}

function HoursSection({ form: { values, field } }: SectionProps) {
  const t = useWords('merchants')
  const ui = useWords('ui')
  const pickerLabels = {
    hoursInputLabel: ui('time.hours'),
    minutesInputLabel: ui('time.minutes'),
    format: '24h',
    withDropdown: true,
  } as const
  return (
    <EditSection title={t('hours.title')} description={t('hours.text')}>
      <Switch label={t('hours.enabled')} {...field('sending_hours.enabled', { type: 'checkbox' })} />
      {values.sending_hours.enabled && (
        <>
          <Group gap="md">
            <TimePicker label={t('hours.start')} {...pickerLabels} {...field('sending_hours.start')} />
            <TimePicker label={t('hours.end')} {...pickerLabels} {...field('sending_hours.end')} />
          </Group>
          <Checkbox
            label={t('hours.exclude')}
            {...field('sending_hours.exclude_post_purchase', { type: 'checkbox' })}
          />
        </>
      )}
    </EditSection>
  )
}

function CanarySection({ form: { values, field, set } }: SectionProps) {
  const t = useWords('merchants')
  return (
    <EditSection title={t('canary.title')} description={t('canary.text')}>
      <Switch
        label={t('canary.enabled')}
        checked={values.canary_from !== null}
        onChange={(event) => set('canary_from', event.currentTarget.checked ? DEFAULT_CANARY : null)}
      />
      {values.canary_from !== null && (
        <Group gap="md" align="flex-start">
          <NumberInput
            label={t('canary.from')}
            suffix={` ${t('canary.fromUnit')}`}
            min={500}
            max={1_000_000}
            allowDecimal={false}
            thousandSeparator
            w={220}
            {...field('canary_from')}
          />
          <NumberInput
            label={t('canary.minutes')}
            suffix={` ${t('canary.minutesUnit')}`}
            min={5}
            max={720}
            allowDecimal={false}
            w={180}
            {...field('canary_minutes')}
          />
        </Group>
      )}
    </EditSection>
  )
}

function CapSection({ form: { values, field, set } }: SectionProps) {
  const t = useWords('merchants')
  return (
    <EditSection title={t('cap.title')} description={t('cap.text')}>
      <Switch
        label={t('cap.enabled')}
        checked={values.frequency_cap_count !== null}
        onChange={(event) => set('frequency_cap_count', event.currentTarget.checked ? DEFAULT_CAP : null)}
      />
      {values.frequency_cap_count !== null && (
        <Group gap="md" align="flex-start">
          <NumberInput
            label={t('cap.days')}
            suffix={` ${t('cap.daysUnit')}`}
            min={1}
            max={90}
            allowDecimal={false}
            w={180}
            {...field('frequency_cap_days')}
          />
          <NumberInput
            label={t('cap.count')}
            suffix={` ${t('cap.countUnit')}`}
            min={1}
            max={100}
            allowDecimal={false}
            w={180}
            {...field('frequency_cap_count')}
          />
        </Group>
      )}
    </EditSection>
  )
}

import { Checkbox, Divider, Group, Radio, Select, Stack, Switch, Text, TextInput } from '@mantine/core'
import { listMetafieldSettings } from '@okaeri/contract/metafields/routes'
import { EndsOn, endsOn, type Flow, type Reentry } from '@okaeri/contract/scenarios/flow'
import type { Trigger } from '@okaeri/contract/scenarios/trigger'
import { type TriggerKind, triggerRules } from '@okaeri/contract/scenarios/trigger-kinds/index'
import { MAX_NTH } from '@okaeri/contract/scenarios/trigger-kinds/orders'
import { endsOnWords } from '@okaeri/contract/scenarios/words'
import { getSegment, listSegments } from '@okaeri/contract/segments/routes'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../../api/call.ts'
import { queryOf } from '../../../api/queries.ts'
import { useLanguage, useWords } from '../../../app/i18n.ts'
import { SearchSelect } from '../../../ui/search-select.tsx'
import { kindName } from '../flow-names.ts'
import { ConditionField } from './condition-field.tsx'
import { TimeField, WholeNumber } from './fields.tsx'

const CHOICES = 20
const MAX_DAYS = 365
const MAX_REENTRY_DAYS = 3650
const MAX_CART_MINUTES = 30 * 24 * 60
const MIN_CART_MINUTES = 10

const groups: Record<'customer' | 'order' | 'cart' | 'product' | 'time' | 'other', readonly TriggerKind[]> = {
  customer: ['customer_created', 'consent_given', 'segment_entered', 'segment_left'],
  order: ['order_created', 'order_paid', 'order_fulfilled', 'order_cancelled'],
  cart: ['cart_abandoned', 'checkout_abandoned'],
  time: ['birthday', 'days_without_order', 'metafield_date'],
  product: ['favorite_added', 'favorite_price_dropped', 'favorite_back_in_stock', 'product_restocked'],
  other: ['manual', 'flow_action'],
}
const groupNames = ['customer', 'order', 'cart', 'time', 'product', 'other'] as const

function newTrigger(kind: TriggerKind): Trigger {
  switch (kind) {
    case 'cart_abandoned':
    case 'checkout_abandoned':
      return { kind, after_minutes: 60 }
    case 'birthday':
      return { kind, days_before: 0, time: '10:00' }
    case 'segment_entered':
    case 'segment_left':
    case 'manual':
      return { kind, segment_id: null }
    case 'metafield_date':
      return { kind, metafield: null, offset_days: 0, every_year: false, time: '10:00' }
    case 'days_without_order':
      return { kind, days: 90, time: '10:00' }
    case 'flow_action':
      return { kind, handle: '' }
    default:
      return { kind }
  }
}

interface StartSettingsProps {
  flow: Flow
  onChange: (flow: Flow, typing?: string) => void
  strict: boolean
}

/** What starts the scenario, for whom, how often, and what ends it early. */
export function StartSettings({ flow, onChange, strict }: StartSettingsProps) {
  const t = useWords('flow')
  const language = useLanguage()
  const { trigger } = flow
  return (
    <Stack gap="md">
      <Select
        label={t('trigger.kind')}
        description={triggerRules(trigger.kind).words[`description_${language}`]}
        maxDropdownHeight={420}
        searchable
        openOnFocus={false}
        value={trigger.kind}
        data={groupNames.map((group) => ({
          group: t(`trigger.groups.${group}`),
          items: groups[group].map((kind) => ({ value: kind, label: kindName(triggerRules(kind).words, language) })),
        }))}
        onChange={(chosen) => {
          const kind = groupNames.flatMap((group) => groups[group]).find((each) => each === chosen)
          if (kind && kind !== trigger.kind) onChange({ ...flow, trigger: newTrigger(kind) })
        }}
      />
      <TriggerSettings trigger={trigger} onChange={(next, typing) => onChange({ ...flow, trigger: next }, typing)} />
      <Divider />
      <div>
        <Text size="sm" fw={600}>
          {t('trigger.condition')}
        </Text>
        <Text size="xs" c="dimmed" mb="xs">
          {flow.condition === null ? t('trigger.everyone') : t('trigger.conditionHelp')}
        </Text>
        <ConditionField
          value={flow.condition}
          addLabel={t('trigger.addCondition')}
          removeLabel={t('trigger.removeCondition')}
          strict={strict}
          onChange={(condition, typing) => onChange({ ...flow, condition }, typing)}
        />
      </div>
      <Divider />
      <ReentrySettings reentry={flow.reentry} onChange={(reentry, typing) => onChange({ ...flow, reentry }, typing)} />
      <Divider />
      <Checkbox.Group
        label={t('trigger.endsOn')}
        value={flow.ends_on}
        onChange={(chosen) => onChange({ ...flow, ends_on: EndsOn.options.filter((each) => chosen.includes(each)) })}
      >
        <Stack gap={8} mt={6}>
          {endsOn.map((each) => (
            <Checkbox
              key={each}
              value={each}
              label={`${endsOnWords[each][language].charAt(0).toUpperCase()}${endsOnWords[each][language].slice(1)}`}
            />
          ))}
        </Stack>
      </Checkbox.Group>
    </Stack>
  )
}

interface TriggerSettingsProps {
  trigger: Trigger
  onChange: (trigger: Trigger, typing?: string) => void
}

function TriggerSettings({ trigger, onChange }: TriggerSettingsProps) {
  const t = useWords('flow')
  const time = 'time' in trigger && (
    <TimeField
      label={t('trigger.time')}
      value={trigger.time}
      onChange={(next) => onChange({ ...trigger, time: next }, 'time')}
    />
  )
  switch (trigger.kind) {
    case 'cart_abandoned':
    case 'checkout_abandoned':
      return (
        <WholeNumber
          label={t('trigger.afterMinutes')}
          value={trigger.after_minutes}
          min={MIN_CART_MINUTES}
          max={MAX_CART_MINUTES}
          unit={t('wait.minutes')}
          w={220}
          onChange={(after_minutes) => onChange({ ...trigger, after_minutes }, 'minutes')}
        />
      )
    case 'order_paid':
      return (
        <>
          <Switch
            label={t('trigger.nthOnly')}
            checked={typeof trigger.nth === 'number'}
            onChange={(event) => onChange({ ...trigger, nth: event.currentTarget.checked ? 1 : null })}
          />
          {typeof trigger.nth === 'number' && (
            <WholeNumber
              label={t('trigger.nth')}
              description={t('trigger.nthHelp')}
              value={trigger.nth}
              min={1}
              max={MAX_NTH}
              w={220}
              onChange={(nth) => onChange({ ...trigger, nth }, 'nth')}
            />
          )}
        </>
      )
    case 'birthday':
      return (
        <>
          <WholeNumber
            label={t('trigger.daysBefore')}
            description={t('trigger.daysBeforeHelp')}
            value={trigger.days_before}
            min={0}
            max={MAX_DAYS}
            unit={t('wait.days')}
            w={220}
            onChange={(days_before) => onChange({ ...trigger, days_before }, 'days')}
          />
          {time}
        </>
      )
    case 'days_without_order':
      return (
        <>
          <WholeNumber
            label={t('trigger.days')}
            value={trigger.days}
            min={1}
            max={MAX_DAYS}
            unit={t('wait.days')}
            w={220}
            onChange={(days) => onChange({ ...trigger, days }, 'days')}
          />
          {time}
        </>
      )
    case 'metafield_date':
      return (
        <>
          <MetafieldPicker value={trigger.metafield} onChange={(metafield) => onChange({ ...trigger, metafield })} />
          <WholeNumber
            label={t('trigger.offset')}
            description={t('trigger.offsetHelp')}
            value={trigger.offset_days}
            min={-MAX_DAYS}
            max={MAX_DAYS}
            unit={t('wait.days')}
            w={220}
            onChange={(offset_days) => onChange({ ...trigger, offset_days }, 'days')}
          />
          {time}
          <Switch
            label={t('trigger.everyYear')}
            checked={trigger.every_year}
            onChange={(event) => onChange({ ...trigger, every_year: event.currentTarget.checked })}
          />
        </>
      )
    case 'segment_entered':
    case 'segment_left':
    case 'manual':
      return (
        <SegmentPicker value={trigger.segment_id} onChange={(segment_id) => onChange({ ...trigger, segment_id })} />
      )
    case 'flow_action':
      return (
        <TextInput
          label={t('trigger.handle')}
          description={t('trigger.handleHelp')}
          maxLength={50}
          value={trigger.handle}
          onChange={(event) => onChange({ ...trigger, handle: event.currentTarget.value }, 'handle')}
        />
      )
    default:
      return null
  }
}

interface PickerProps {
  value: string | null
  onChange: (value: string | null) => void
}
function SegmentPicker({ value, onChange }: PickerProps) {
  const t = useWords('flow')
  const { data } = useQuery({ ...queryOf(getSegment, { params: { id: value ?? '' } }), enabled: value !== null })
  return (
    <SearchSelect
      label={t('trigger.segment')}
      placeholder={t('trigger.segmentPlaceholder')}
      value={value}
      valueLabel={value === null ? null : data?.customer_segment.name}
      onChange={onChange}
      clearable
      area={listSegments.area}
      among="own"
      find={async (q) =>
        (await call(listSegments, { query: { limit: CHOICES, origin: 'own', ...(q && { q }) } })).data.map((one) => ({
          value: one.id,
          label: one.name,
        }))
      }
    />
  )
}

const MANY = 100
function MetafieldPicker({ value, onChange }: PickerProps) {
  const t = useWords('flow')
  const { data } = useQuery(queryOf(listMetafieldSettings, { query: { limit: MANY } }))
  const dates = (data?.data ?? []).filter(({ value_type }) => value_type === 'date' || value_type === 'date_time')
  const missing = value !== null && !dates.some(({ key }) => key === value)
  return (
    <Select
      label={t('trigger.metafield')}
      placeholder={t('trigger.metafieldPlaceholder')}
      searchable
      clearable
      value={value}
      data={[
        ...(missing ? [{ value, label: value }] : []),
        ...dates.map(({ key, name }) => ({ value: key, label: `${name}（${key}）` })),
      ]}
      nothingFoundMessage={t('trigger.metafieldNone')}
      onChange={onChange}
    />
  )
}

const reentryModes = ['once', 'every_days', 'when_none_runs', 'always'] as const
function ReentrySettings({
  reentry,
  onChange,
}: {
  reentry: Reentry
  onChange: (to: Reentry, typing?: string) => void
}) {
  const t = useWords('flow')
  return (
    <Radio.Group
      label={t('trigger.reentry')}
      value={reentry.mode}
      onChange={(chosen) => {
        const mode = reentryModes.find((each) => each === chosen) ?? 'once'
        onChange(mode === 'every_days' ? { mode, days: 30 } : { mode })
      }}
    >
      <Stack gap={8} mt={6}>
        {reentryModes.map((mode) => (
          <Radio key={mode} value={mode} label={t(`trigger.${mode}`)} />
        ))}
      </Stack>
      {reentry.mode === 'every_days' && (
        <Group mt="xs">
          <WholeNumber
            label={t('trigger.reentryDays')}
            value={reentry.days}
            min={1}
            max={MAX_REENTRY_DAYS}
            unit={t('wait.days')}
            w={220}
            onChange={(days) => onChange({ mode: 'every_days', days }, 'days')}
          />
        </Group>
      )}
    </Radio.Group>
  )
}

import { Button, Group, NumberInput, Pill, Popover, Select, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import {
  type CustomerFilter,
  type CustomerRange,
  customerRanges,
  MAX_COUNT_ASKED,
  MAX_SALES_ASKED,
} from '@okaeri/contract/customers/view'
import { minorUnits } from '@okaeri/contract/money'
import { DatePickerInput } from '@mantine/dates'
import { IconFilter } from '@tabler/icons-react'
import { useState } from 'react'
import { useFormat } from '../../app/format.ts'
import { useLanguage, useWords } from '../../app/i18n.ts'
import { useCalendar } from '../../ui/calendar.ts'
import { useMerchant } from '../../app/merchant.tsx'
import { birthdayText, languageName } from './customer-facts.ts'
import classes from './customer-list.module.css'

type Filters = Omit<CustomerFilter, 'q'>
type FilterName = keyof Filters

export const filterNames = [
  'marketing',
  'notification',
  'tag',
  'suppressed',
  'has_orders',
  'language',
  'line',
  'created_from',
  'created_to',
  'orders_min',
  'orders_max',
  'sales_min',
  'sales_max',
  'sent_min',
  'sent_max',
] as const satisfies readonly FilterName[]

interface FilterProps {
  filters: Filters
  onChange: (change: Partial<Record<FilterName, string | number | undefined>>) => void
}

/** One end of a range of days; neither goes past the other. */
function DayFilter({ name, filters, onChange }: FilterProps & { name: 'created_from' | 'created_to' }) {
  const t = useWords('customers')
  const { pickers } = useFormat()
  const isFirst = name === 'created_from'
  const allowed = isFirst
    ? { ...(filters.created_to && { maxDate: filters.created_to }) }
    : { ...(filters.created_from && { minDate: filters.created_from }) }
  const calendar = useCalendar({ value: filters[name], ...allowed })
  const label = t(isFirst ? 'filter.from' : 'filter.to')
  return (
    <DatePickerInput
      {...calendar}
      label={label}
      placeholder={t('any')}
      valueFormat={pickers.date}
      clearable
      popoverProps={{ withinPortal: false }}
      clearButtonProps={{ 'aria-label': t('filter.remove', { what: label }) }}
      {...allowed}
      value={filters[name] ?? null}
      onChange={(value) => onChange({ [name]: value ?? undefined })}
    />
  )
}

/** Whether a key was pressed in a calendar or a list that is open, and closes that one alone. */
const isWithinOpen = (target: EventTarget): boolean =>
  target instanceof Element && target.closest('[data-dates-dropdown], [data-expanded]') !== null

/** All filters behind one button, which says how many are set. */
export function CustomerFilters({ filters, onChange }: FilterProps) {
  const t = useWords('customers')
  const [opened, setOpened] = useState(false)
  const count = filterNames.filter((name) => filters[name] !== undefined).length
  const choice = (name: FilterName, label: string, options: [string, string][]) => (
    <Select
      label={label}
      comboboxProps={{ withinPortal: false }}
      value={String(filters[name] ?? '')}
      data={[{ value: '', label: t('any') }, ...options.map(([value, text]) => ({ value, label: text }))]}
      onChange={(value) => onChange({ [name]: value || undefined })}
    />
  )
  return (
    <Popover
      opened={opened}
      onChange={setOpened}
      position="bottom-end"
      shadow="md"
      trapFocus
      returnFocus
      // Its own way would close it together with what is open in it.
      closeOnEscape={false}
      width="min(94vw, 560px)"
    >
      <Popover.Target>
        <Button
          variant={count > 0 ? 'light' : 'default'}
          leftSection={<IconFilter size={16} aria-hidden />}
          onClick={() => setOpened((is) => !is)}
        >
          {count > 0 ? t('filter.openCount', { count }) : t('filter.open')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown
        aria-label={t('filter.title')}
        className={classes.filters}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && !isWithinOpen(event.target)) setOpened(false)
        }}
      >
        <Stack gap="sm">
          <SimpleGrid cols={2} spacing="sm" verticalSpacing="sm">
            {choice('marketing', t('marketing'), [
              ['granted', t('state.granted')],
              ['not_granted', t('marketingNotGranted')],
              ['withdrawn', t('state.withdrawn')],
              ['unknown', t('state.unknown')],
              ['pending', t('state.pending')],
            ])}
            {choice('notification', t('notification'), [
              ['granted', t('granted')],
              ['not_granted', t('notGranted')],
            ])}
            {choice('suppressed', t('filter.suppressed'), [
              ['yes', t('filter.suppressedYes')],
              ['no', t('filter.suppressedNo')],
            ])}
            {choice('has_orders', t('filter.orders'), [
              ['yes', t('filter.ordersYes')],
              ['no', t('filter.ordersNo')],
            ])}
            {choice('line', t('line'), [
              ['yes', t('connected')],
              ['no', t('notConnected')],
            ])}
            {choice('language', t('language'), [
              ['ja', t('languages.ja')],
              ['en', t('languages.en')],
            ])}
            <DayFilter name="created_from" {...{ filters, onChange }} />
            <DayFilter name="created_to" {...{ filters, onChange }} />
          </SimpleGrid>
          {(Object.keys(customerRanges) as CustomerRange[]).map((range) => (
            <Range
              key={`${range} ${filters[`${range}_min`]} ${filters[`${range}_max`]}`}
              {...{ range, filters, onChange }}
            />
          ))}
          <Typed
            label={t('filter.tag')}
            description={t('filter.tagHelp')}
            value={filters.tag ?? ''}
            onSet={(tag) => onChange({ tag: tag || undefined })}
          />
          <Group justify="space-between" className={classes.filtersFoot}>
            <Button
              variant="subtle"
              disabled={count === 0}
              onClick={() => onChange(Object.fromEntries(filterNames.map((name) => [name, undefined])))}
            >
              {t('filter.clear')}
            </Button>
            <Button variant="default" onClick={() => setOpened(false)}>
              {t('filter.done')}
            </Button>
          </Group>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}

/** A range. Takes effect on Enter or when a field is left; a range that ends before it begins shows an error and does nothing. */
function Range({ range, filters, onChange }: FilterProps & { range: CustomerRange }) {
  const t = useWords('customers')
  const { min, max } = customerRanges[range]
  const [typed, setTyped] = useState<{ min: number | string; max: number | string }>({
    min: filters[min] ?? '',
    max: filters[max] ?? '',
  })
  const wrong = typed.min !== '' && typed.max !== '' && Number(typed.min) > Number(typed.max)
  const set = () => {
    if (wrong || (typed.min === (filters[min] ?? '') && typed.max === (filters[max] ?? ''))) return
    onChange({ [min]: typed.min === '' ? undefined : typed.min, [max]: typed.max === '' ? undefined : typed.max })
  }
  const input = (end: 'min' | 'max') => (
    <NumberInput
      label={t(end === 'min' ? 'filter.least' : 'filter.most', { what: t(`filter.${range}Range`) })}
      placeholder={t('any')}
      min={0}
      max={range === 'sales' ? MAX_SALES_ASKED : MAX_COUNT_ASKED}
      clampBehavior="strict"
      allowNegative={false}
      allowDecimal={range === 'sales'}
      thousandSeparator=","
      hideControls
      value={typed[end]}
      error={end === 'max' && wrong ? t('filter.rangeWrong') : undefined}
      onChange={(value) => setTyped((now) => ({ ...now, [end]: value }))}
      onBlur={set}
      onKeyDown={(event) => event.key === 'Enter' && !event.nativeEvent.isComposing && set()}
    />
  )
  return (
    <SimpleGrid cols={2} spacing="sm">
      {input('min')}
      {input('max')}
    </SimpleGrid>
  )
}

/** Takes effect on Enter or when the field is left, because part of a tag matches nothing. */
function Typed(props: { label: string; description: string; value: string; onSet: (value: string) => void }) {
  const [typed, setTyped] = useState(props.value)
  const set = () => typed.trim() !== props.value && props.onSet(typed.trim())
  return (
    <TextInput
      label={props.label}
      description={props.description}
      maxLength={255}
      value={typed}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onBlur={set}
      onKeyDown={(event) => event.key === 'Enter' && !event.nativeEvent.isComposing && set()}
    />
  )
}

/** The active filters; each can be removed. */
export function FilterPills({ filters, onChange }: FilterProps) {
  const t = useWords('customers')
  const ui = useWords('ui')
  const language = useLanguage()
  const named = filterNames.filter((name) => filters[name] !== undefined)
  if (named.length === 0) return null
  const format = useFormat()
  const { currency } = useMerchant()
  const day = (text: string) => birthdayText(text, language)
  const end = (range: CustomerRange, which: 'least' | 'most') => (value: string) =>
    of(
      t(`filter.${range}Range`),
      t(which === 'least' ? 'filter.atLeast' : 'filter.atMost', {
        number:
          range === 'sales'
            ? format.money({ amount: minorUnits(value, currency), currency })
            : format.number(Number(value)),
      }),
    )
  const of = (label: string, value: string) => ui('labelled', { label, value })
  const texts: Record<FilterName, (value: string) => string> = {
    marketing: (value) =>
      of(t('marketing'), value === 'not_granted' ? t('marketingNotGranted') : t(`state.${value as 'granted'}`)),
    notification: (value) => of(t('notification'), t(value === 'granted' ? 'granted' : 'notGranted')),
    tag: (value) => of(t('tags'), value),
    suppressed: (value) =>
      of(t('filter.suppressed'), t(value === 'yes' ? 'filter.suppressedYes' : 'filter.suppressedNo')),
    has_orders: (value) => of(t('filter.orders'), t(value === 'yes' ? 'filter.ordersYes' : 'filter.ordersNo')),
    language: (value) => of(t('language'), languageName(value, language)),
    line: (value) => of(t('line'), t(value === 'yes' ? 'connected' : 'notConnected')),
    created_from: (value) => of(t('filter.created'), t('filter.since', { day: day(value) })),
    created_to: (value) => of(t('filter.created'), t('filter.until', { day: day(value) })),
    orders_min: end('orders', 'least'),
    orders_max: end('orders', 'most'),
    sales_min: end('sales', 'least'),
    sales_max: end('sales', 'most'),
    sent_min: end('sent', 'least'),
    sent_max: end('sent', 'most'),
  }
  return (
    <div className={classes.pills}>
      {named.map((name) => {
        const text = texts[name](String(filters[name] ?? ''))
        return (
          <Pill
            key={name}
            size="md"
            withRemoveButton
            onRemove={() => onChange({ [name]: undefined })}
            removeButtonProps={{ 'aria-label': t('filter.remove', { what: text }), 'aria-hidden': false, tabIndex: 0 }}
          >
            <Text span size="sm">
              {text}
            </Text>
          </Pill>
        )
      })}
    </div>
  )
}

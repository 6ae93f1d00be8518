import { ActionIcon, MultiSelect, Select, TextInput } from '@mantine/core'
import { DatePickerInput } from '@mantine/dates'
import type { StoreValueField } from '@okaeri/contract/catalog/routes'
import {
  type ConditionField,
  type Leaf,
  type LeafValue,
  type MailsValue,
  type Operator,
  type OrderedValue,
  type OrderFilter,
  orderFilterKeys,
  type ThingsValue,
  valueShapeOf,
  type Window,
} from '@okaeri/contract/segments/condition'
import type { NamedKind } from '@okaeri/contract/segments/condition-words'
import { IconX } from '@tabler/icons-react'
import dayjs from 'dayjs'
import type { ReactNode } from 'react'
import { useLanguage, useWords } from '../../app/i18n.ts'
import { useMerchant } from '../../app/merchant.tsx'
import classes from './condition-editor.module.css'
import { monthName, nameOf, type NamesOf } from './condition-names.ts'
import { grammar } from './editor-words.ts'
import { NumberField } from './number-field.tsx'
import { NamedPicker, TextsField } from './pickers.tsx'

const MONTHS = Array.from({ length: 12 }, (_, at) => at + 1)
const DAYS_OF_A_MONTH = Array.from({ length: 31 }, (_, at) => at + 1)
/** Contract: a comparison names at most so many segments. */
const MAX_SEGMENTS = 20
const DEFAULT_DAYS = 90

interface ValueProps {
  leaf: Leaf
  field: ConditionField
  operator: Operator
  /** Of the row, for the labels. */
  name: string
  names: NamesOf
  /** What is wrong at a key behind the value (`''`, `.filter.products`) or below it. */
  errorAt: (key: string) => string | undefined
  onChange: (value: LeafValue) => void
  /** The segment being edited. */
  segmentId: string | null
  /** The choice of the comparison, where it stands within the sentence. */
  operatorInput: ReactNode
}

/** The inputs that fit the field and its comparison, within the sentence of the row. */
export function ConditionValue(props: ValueProps) {
  const { leaf, field, operator, name, names, errorAt, onChange, segmentId } = props
  const t = useWords('segments')
  const language = useLanguage()
  const { value } = leaf
  const label = `${name}: ${t('editor.value')}`
  const shape = valueShapeOf(field.type, operator)
  const list = Array.isArray(value) ? value : []
  const set = (next: (string | number)[]) => onChange(next.length > 0 ? next : null)

  switch (shape) {
    case 'none':
      return null
    case 'text':
      return <TextField label={label} value={value} error={errorAt('')} onChange={onChange} />
    case 'texts':
    case 'tags':
    case 'postal_prefixes':
      return (
        <TextsField
          label={label}
          placeholder={t(shape === 'tags' ? 'editor.tags' : shape === 'texts' ? 'editor.texts' : 'editor.postal')}
          value={list}
          error={errorAt('')}
          suggest={leaf.name === 'tags' && leaf.category === 'customer' ? 'customer_tag' : undefined}
          onChange={set}
        />
      )
    case 'number':
      return (
        <>
          <NumberField
            label={label}
            value={value}
            wide={Boolean(field.money)}
            error={errorAt('')}
            onChange={onChange}
          />
          <Unit field={field} />
        </>
      )
    case 'number_range':
      return (
        <>
          <Range
            label={label}
            value={list}
            wide={Boolean(field.money)}
            errorAt={errorAt}
            onChange={(pair) => onChange(pair as (string | number)[])}
          />
          <Unit field={field} />
        </>
      )
    case 'boolean':
      return (
        <Select
          className={classes.choice}
          size="sm"
          aria-label={label}
          data={(['yes', 'no'] as const).map((each) => ({
            value: String(each === 'yes'),
            label: t(`editor.bool.${booleanKind(field.name)}_${each}`),
          }))}
          value={typeof value === 'boolean' ? String(value) : null}
          error={errorAt('')}
          onChange={(chosen) => onChange(chosen === 'true')}
        />
      )
    case 'date':
      return <DayField id={leaf.id} label={label} value={value} error={errorAt('')} onChange={onChange} />
    case 'date_range':
      return (
        <DaysField id={leaf.id} label={label} from={list[0]} to={list[1]} error={errorAt('')} onChange={onChange} />
      )
    case 'days':
      return (
        <NumberField label={`${name}: ${t('editor.daysBack')}`} value={value} error={errorAt('')} onChange={onChange} />
      )
    case 'month':
    case 'day_of_month':
      return (
        <Select
          className={classes.choice}
          size="sm"
          aria-label={`${name}: ${t(shape === 'month' ? 'editor.month' : 'editor.dayOfMonth')}`}
          placeholder={t('editor.choose')}
          maxDropdownHeight={300}
          data={
            shape === 'month'
              ? MONTHS.map((month) => ({ value: String(month), label: monthName(month, language) }))
              : DAYS_OF_A_MONTH.map((day) => ({ value: String(day), label: String(day) }))
          }
          value={typeof value === 'number' ? String(value) : null}
          error={errorAt('')}
          onChange={(chosen) => onChange(chosen === null ? null : Number(chosen))}
        />
      )
    case 'choices':
      return (
        <MultiSelect
          className={classes.picker}
          size="sm"
          aria-label={label}
          placeholder={list.length > 0 ? '' : t('editor.choose')}
          searchable={(field.choices?.length ?? 0) > 8}
          hidePickedOptions
          maxDropdownHeight={300}
          data={(field.choices ?? []).map((choice) => ({ value: choice.value, label: nameOf(choice, language) }))}
          // A prefecture is found by its English name too.
          filter={({ options, search }) => {
            const wanted = search.normalize('NFKC').trim().toLowerCase()
            return options.filter((one) => {
              const choice = 'value' in one && field.choices?.find((each) => each.value === one.value)
              return choice && `${choice.name_ja} ${choice.name_en}`.toLowerCase().includes(wanted)
            })
          }}
          value={list.map(String)}
          error={errorAt('')}
          onChange={set}
        />
      )
    case 'segments':
      return (
        <NamedPicker
          kind="segments"
          label={label}
          placeholder={t('editor.pick.segments')}
          names={names}
          value={list.map(String)}
          max={MAX_SEGMENTS}
          except={segmentId}
          error={errorAt('')}
          onChange={set}
        />
      )
    case 'products': {
      const chosen = objectOf(value) as { ids?: string[]; within_days?: number | null }
      const window = chosen.within_days == null ? null : { within_days: chosen.within_days }
      const put = (change: object) =>
        onChange({ ids: chosen.ids ?? [], within_days: chosen.within_days ?? null, ...change })
      return (
        <>
          <WindowField
            id={leaf.id}
            name={name}
            value={window}
            errorAt={(key) => errorAt(key)}
            onlyDays
            onChange={(next) => put({ within_days: next && 'within_days' in next ? next.within_days : null })}
          />
          <NamedPicker
            kind="products"
            label={label}
            placeholder={t('editor.pick.products')}
            names={names}
            value={chosen.ids ?? []}
            error={errorAt('.ids')}
            onChange={(ids) => put({ ids })}
          />
        </>
      )
    }
    case 'ordered':
      return <Ordered {...props} />
    case 'mails':
      return <Mails {...props} />
    case 'things':
      return <Things {...props} />
  }
}

const booleanKind = (name: string): 'given' | 'state' | 'plain' => {
  if (name === 'suppressed') return 'state'
  return name === 'accepts_marketing' || name === 'accepts_transactions' || name === 'line_connected'
    ? 'given'
    : 'plain'
}

/** A value that is not finished may lack any of its parts. */
const objectOf = (value: unknown): object =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}

function TextField(props: {
  label: string
  value: LeafValue
  error: string | undefined
  onChange: (value: string | null) => void
}) {
  const t = useWords('segments')
  return (
    <TextInput
      className={classes.text}
      size="sm"
      aria-label={props.label}
      placeholder={t('editor.text')}
      value={typeof props.value === 'string' ? props.value : ''}
      error={props.error}
      maxLength={1000}
      onChange={(event) => props.onChange(event.currentTarget.value || null)}
    />
  )
}

function Unit({ field }: { field: ConditionField }) {
  const language = useLanguage()
  const { currency } = useMerchant()
  const unit = field.money
    ? language === 'ja' && currency === 'JPY'
      ? '円'
      : currency
    : language === 'ja'
      ? field.unit_ja
      : field.unit_en
  return unit ? <span className={classes.word}>{unit}</span> : null
}

interface RangeProps {
  label: string
  value: readonly unknown[]
  wide?: boolean
  errorAt: (key: string) => string | undefined
  onChange: (pair: [unknown, unknown]) => void
}
function Range({ label, value: [from, to], wide, errorAt, onChange }: RangeProps) {
  const t = useWords('segments')
  const language = useLanguage()
  const kept = (value: number | string | null) => value ?? ''
  return (
    <>
      <NumberField
        label={`${label} ${t('editor.from')}`}
        value={from}
        wide={wide ?? false}
        error={errorAt('.0')}
        onChange={(next) => onChange([kept(next), to])}
      />
      <span className={classes.word} aria-hidden>
        {language === 'ja' ? '〜' : '–'}
      </span>
      <NumberField
        label={`${label} ${t('editor.to')}`}
        value={to}
        wide={wide ?? false}
        error={errorAt('.1')}
        onChange={(next) => onChange([from, kept(next)])}
      />
    </>
  )
}

/** How a day is picked, in the language shown. */
function useDays(id: string) {
  const t = useWords('segments')
  const language = useLanguage()
  const valueFormat = language === 'ja' ? 'YYYY年M月D日' : 'MMM D, YYYY'
  return {
    /** The button's own text belongs in its name (WCAG 2.5.3). */
    shown: (days: readonly unknown[]) =>
      days
        .filter((day) => typeof day === 'string' && day !== '')
        .map((day) =>
          dayjs(day as string)
            .locale(language)
            .format(valueFormat),
        )
        .join(' – '),
    look: {
      size: 'sm',
      valueFormat,
      // The calendar takes its name from the button, which it finds by the id of both.
      id: `date-${id}`,
      popoverProps: { withinPortal: true, id: `date-${id}` },
      monthLabelFormat: language === 'ja' ? 'YYYY年M月' : 'MMMM YYYY',
      yearLabelFormat: language === 'ja' ? 'YYYY年' : 'YYYY',
      hideOutsideDates: true,
      classNames: { day: classes.day ?? '' },
      ariaLabels: {
        nextMonth: t('editor.calendar.nextMonth'),
        previousMonth: t('editor.calendar.previousMonth'),
        nextYear: t('editor.calendar.nextYear'),
        previousYear: t('editor.calendar.previousYear'),
        nextDecade: t('editor.calendar.nextDecade'),
        previousDecade: t('editor.calendar.previousDecade'),
      },
    } as const,
  }
}
const day = (given: unknown): string | null => (typeof given === 'string' && given !== '' ? given : null)

interface DayProps {
  id: string
  label: string
  error: string | undefined
}
function DayField({
  id,
  label,
  value,
  error,
  onChange,
}: DayProps & { value: unknown; onChange: (day: string | null) => void }) {
  const t = useWords('segments')
  const { shown, look } = useDays(id)
  return (
    <DatePickerInput
      className={classes.date}
      aria-label={`${label} ${shown([value]) || t('editor.chooseDate')}`}
      placeholder={t('editor.chooseDate')}
      {...look}
      value={day(value)}
      error={error}
      onChange={onChange}
    />
  )
}
function DaysField(props: DayProps & { from: unknown; to: unknown; onChange: (days: [string, string]) => void }) {
  const { id, label, from, to, error, onChange } = props
  const t = useWords('segments')
  const { shown, look } = useDays(id)
  return (
    <DatePickerInput
      type="range"
      className={classes.dates}
      aria-label={`${label} ${shown([from, to]) || t('editor.chooseDates')}`}
      placeholder={t('editor.chooseDates')}
      {...look}
      allowSingleDateInRange
      value={[day(from), day(to)]}
      error={error}
      onChange={([first, last]) => onChange([first ?? '', last ?? ''])}
    />
  )
}

interface WindowProps {
  id: string
  name: string
  value: Window
  errorAt: (key: string) => string | undefined
  onChange: (value: Window) => void
  /** No calendar days. */
  onlyDays?: boolean
}
/** When: at any time, within the last days, between two days. */
function WindowField({ id, name, value, errorAt, onChange, onlyDays }: WindowProps) {
  const t = useWords('segments')
  const kind = value === null ? 'ever' : 'within_days' in value ? 'within' : 'between'
  const label = `${name}: ${t('editor.window')}`
  const choose = (chosen: string | null) => {
    if (chosen === 'within') onChange({ within_days: DEFAULT_DAYS })
    else onChange(chosen === 'between' ? { from: '', to: '' } : null)
  }
  return (
    <>
      <Select
        className={classes.choice}
        size="sm"
        aria-label={label}
        data={[
          { value: 'ever', label: t('editor.anytime') },
          { value: 'within', label: t('editor.within') },
          ...(onlyDays ? [] : [{ value: 'between', label: t('editor.betweenDays') }]),
        ]}
        value={kind}
        onChange={choose}
      />
      {value !== null && 'within_days' in value && (
        <>
          <NumberField
            label={`${name}: ${t('editor.daysBack')}`}
            value={value.within_days}
            error={errorAt('.within_days')}
            onChange={(days) => onChange({ within_days: days as number })}
          />
          <span className={classes.word}>{t('editor.withinDays')}</span>
        </>
      )}
      {value !== null && 'from' in value && (
        <DaysField
          id={`${id}-window`}
          label={label}
          from={value.from}
          to={value.to}
          error={errorAt('.from') ?? errorAt('.to')}
          onChange={([from, to]) => onChange({ from, to })}
        />
      )}
    </>
  )
}

interface AmountProps {
  label: string
  operator: Operator
  value: unknown
  wide?: boolean
  errorAt: (key: string) => string | undefined
  onChange: (value: unknown) => void
}
/** The number of such a sentence: one, or a pair. */
const Amount = ({ label, operator, value, wide, errorAt, onChange }: AmountProps) =>
  operator === 'between' ? (
    <Range
      label={label}
      value={Array.isArray(value) ? value : []}
      wide={wide ?? false}
      errorAt={(key) => errorAt(`.value${key}`)}
      onChange={onChange}
    />
  ) : (
    <NumberField label={label} value={value} wide={wide ?? false} error={errorAt('.value')} onChange={onChange} />
  )

/** In Japanese the number stands before its comparison (3回以上), in English behind it (at least 3). */
function Compared({ operatorInput, children }: { operatorInput: ReactNode; children: ReactNode }) {
  const language = useLanguage()
  return language === 'ja' ? (
    <>
      {children}
      {operatorInput}
    </>
  ) : (
    <>
      {operatorInput}
      {children}
    </>
  )
}

interface AnyOfProps {
  label: string
  any: string
  some: string
  /** Null: any. */
  value: string[] | null
  onChange: (ids: string[] | null) => void
  children: (ids: string[]) => ReactNode
}
/** Any, or some that are chosen. */
const AnyOf = ({ label, any, some, value, onChange, children }: AnyOfProps) => (
  <>
    <Select
      className={classes.choice}
      size="sm"
      aria-label={label}
      data={[
        { value: 'any', label: any },
        { value: 'some', label: some },
      ]}
      value={value === null ? 'any' : 'some'}
      onChange={(chosen) => onChange(chosen === 'some' ? [] : null)}
    />
    {value !== null && children(value)}
  </>
)

const RemoveFilter = ({ label, onClick }: { label: string; onClick: () => void }) => (
  <ActionIcon variant="subtle" color="gray" size="sm" aria-label={label} onClick={onClick}>
    <IconX size={14} />
  </ActionIcon>
)

const namedFilters: Partial<Record<keyof OrderFilter, NamedKind>> = {
  products: 'products',
  variants: 'variants',
  collections: 'collections',
}
const writtenFilters: Partial<Record<keyof OrderFilter, StoreValueField>> = {
  vendors: 'vendor',
  product_tags: 'product_tag',
  order_tags: 'order_tag',
  discount_codes: 'discount_code',
}

function Ordered({ leaf, name, names, operator, errorAt, onChange, operatorInput }: ValueProps) {
  const t = useWords('segments')
  const language = useLanguage()
  const { currency } = useMerchant()
  const given = objectOf(leaf.value) as Partial<OrderedValue>
  const { measure = 'count', filter = {}, window = null } = given
  const put = (change: object) => onChange({ measure, filter, window, value: given.value ?? 1, ...change })
  const used = orderFilterKeys.filter((key) => filter[key] !== undefined)
  const free = orderFilterKeys.filter((key) => filter[key] === undefined)
  const money = language === 'ja' && currency === 'JPY' ? '円' : currency
  const windowField = (
    <WindowField
      id={leaf.id}
      name={name}
      value={window}
      errorAt={(key) => errorAt(`.window${key}`)}
      onChange={(next) => put({ window: next })}
    />
  )
  const filters = (
    <>
      {used.map((key) => {
        const kind = namedFilters[key]
        const label = `${name}: ${t(`editor.filter.${key}`)}`
        const change = (values: string[]) => put({ filter: { ...filter, [key]: values } })
        const shared = { label, value: filter[key] ?? [], error: errorAt(`.filter.${key}`), onChange: change }
        return (
          <div key={key} className={classes.filter}>
            <span className={classes.word}>{t(`editor.filter.${key}`)}</span>
            {kind ? (
              <NamedPicker
                kind={kind}
                placeholder={t(`editor.pick.${key}` as 'editor.pick.products')}
                names={names}
                {...shared}
              />
            ) : (
              <TextsField placeholder={t('editor.texts')} suggest={writtenFilters[key]} {...shared} />
            )}
            <RemoveFilter
              label={t('editor.removeFilter', { name, filter: t(`editor.filter.${key}`) })}
              onClick={() =>
                put({ filter: Object.fromEntries(Object.entries(filter).filter(([each]) => each !== key)) })
              }
            />
          </div>
        )
      })}
      {free.length > 0 && (
        <Select
          className={classes.add}
          size="sm"
          variant="unstyled"
          aria-label={`${name}: ${t('editor.addFilter')}`}
          placeholder={t('editor.addFilter')}
          data={free.map((key) => ({ value: key, label: t(`editor.filter.${key}`) }))}
          value={null}
          onChange={(key) => key && put({ filter: { ...filter, [key]: [] } })}
        />
      )}
    </>
  )
  const counted = (
    <>
      <span className={classes.word}>{t('editor.ordered.of')}</span>
      <Select
        className={classes.choice}
        size="sm"
        aria-label={`${name}: ${t('editor.measure.label')}`}
        data={(['count', 'amount', 'quantity'] as const).map((each) => ({
          value: each,
          label: t(`editor.measure.${each}`),
        }))}
        value={measure}
        onChange={(chosen) => put({ measure: chosen })}
      />
      <span className={classes.word}>{t('editor.ordered.is')}</span>
      <Compared operatorInput={operatorInput}>
        <Amount
          label={`${name}: ${t('editor.value')}`}
          operator={operator}
          value={given.value}
          wide={measure === 'amount'}
          errorAt={errorAt}
          onChange={(value) => put({ value })}
        />
        <span className={classes.word}>{measure === 'amount' ? money : grammar[language].unit[measure]}</span>
      </Compared>
    </>
  )
  return language === 'ja' ? (
    <>
      {windowField}
      {filters}
      {counted}
    </>
  ) : (
    <>
      {filters}
      {counted}
      {windowField}
    </>
  )
}

function Mails({ leaf, name, names, operator, errorAt, onChange, operatorInput }: ValueProps) {
  const t = useWords('segments')
  const language = useLanguage()
  const given = objectOf(leaf.value) as Partial<MailsValue>
  const { campaigns = null, window = null } = given
  const put = (change: object) => onChange({ campaigns, window, value: given.value ?? 1, ...change })
  const windowField = (
    <WindowField
      id={leaf.id}
      name={name}
      value={window}
      errorAt={(key) => errorAt(`.window${key}`)}
      onChange={(next) => put({ window: next })}
    />
  )
  const which = (
    <AnyOf
      label={`${name}: ${t('editor.pick.campaigns')}`}
      any={t('editor.anyCampaign')}
      some={t('editor.someCampaigns')}
      value={campaigns}
      onChange={(ids) => put({ campaigns: ids })}
    >
      {(ids) => (
        <NamedPicker
          kind="campaigns"
          label={`${name}: ${t('editor.campaigns')}`}
          placeholder={t('editor.pick.campaigns')}
          names={names}
          value={ids}
          error={errorAt('.campaigns')}
          onChange={(next) => put({ campaigns: next })}
        />
      )}
    </AnyOf>
  )
  const counted = (
    <Compared operatorInput={operatorInput}>
      <Amount
        label={`${name}: ${t('editor.value')}`}
        operator={operator}
        value={given.value}
        errorAt={errorAt}
        onChange={(value) => put({ value })}
      />
      <span className={classes.word}>{t('editor.mailsUnit')}</span>
    </Compared>
  )
  return language === 'ja' ? (
    <>
      {windowField}
      {which}
      {counted}
    </>
  ) : (
    <>
      {counted}
      {which}
      {windowField}
    </>
  )
}

function Things({ leaf, field, name, names, errorAt, onChange, operatorInput }: ValueProps) {
  const t = useWords('segments')
  const language = useLanguage()
  const { currency } = useMerchant()
  const given = objectOf(leaf.value) as Partial<ThingsValue>
  const { products = null, min_amount = null, window = null } = given
  const put = (change: object) => onChange({ products, min_amount, window, ...change })
  const windowField = (
    <WindowField
      id={leaf.id}
      name={name}
      value={window}
      errorAt={(key) => errorAt(`.window${key}`)}
      onChange={(next) => put({ window: next })}
    />
  )
  const about = (
    <>
      <AnyOf
        label={`${name}: ${t('editor.pick.products')}`}
        any={t('editor.anyProduct')}
        some={t('editor.someProducts')}
        value={products}
        onChange={(ids) => put({ products: ids })}
      >
        {(ids) => (
          <NamedPicker
            kind="products"
            label={`${name}: ${t('editor.filter.products')}`}
            placeholder={t('editor.pick.products')}
            names={names}
            value={ids}
            error={errorAt('.products')}
            onChange={(next) => put({ products: next })}
          />
        )}
      </AnyOf>
      {field.has_amount && (
        <>
          <Select
            className={classes.choice}
            size="sm"
            aria-label={`${name}: ${t('editor.amount')}`}
            data={[
              { value: 'any', label: t('editor.anyAmount') },
              { value: 'min', label: t('editor.minAmount') },
            ]}
            value={min_amount === null ? 'any' : 'min'}
            onChange={(chosen) => put({ min_amount: chosen === 'min' ? 5000 : null })}
          />
          {min_amount !== null && (
            <>
              <NumberField
                label={`${name}: ${t('editor.minAmount')}`}
                value={min_amount}
                wide
                error={errorAt('.min_amount')}
                onChange={(amount) => put({ min_amount: amount ?? '' })}
              />
              <span className={classes.word}>
                {language === 'ja' && currency === 'JPY' ? '円' : currency} {t('editor.orMore')}
              </span>
            </>
          )}
        </>
      )}
    </>
  )
  return language === 'ja' ? (
    <>
      {windowField}
      {about}
      {operatorInput}
    </>
  ) : (
    <>
      {operatorInput}
      {about}
      {windowField}
    </>
  )
}

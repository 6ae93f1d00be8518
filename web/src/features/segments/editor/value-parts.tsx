import { Select } from '@mantine/core'
import { DatePickerInput } from '@mantine/dates'
import type { ConditionField, Leaf, LeafValue, Operator, Window } from '@okaeri/contract/segments/condition'
import dayjs from 'dayjs'
import type { ReactNode } from 'react'
import { useFormat } from '../../../app/format.ts'
import { useLanguage, useWords } from '../../../app/i18n.ts'
import { useCalendar } from '../../../ui/calendar.ts'
import { useMerchant } from '../../../app/merchant.tsx'
import classes from './condition-editor.module.css'
import type { NamesOf } from './condition-names.ts'
import { NumberField } from './number-field.tsx'

// Inputs that values of several types share.

export const DEFAULT_DAYS = 90
/** The most common choice. */
export const emptyCount = (operator: Operator): number | [number, number] => (operator === 'between' ? [1, 2] : 1)

export interface ValueProps {
  leaf: Leaf
  field: ConditionField
  operator: Operator
  /** The row's name, for labels. */
  name: string
  names: NamesOf
  /** The error at a key after the value (`''`, `.filter.products`) or below it. */
  errorAt: (key: string) => string | undefined
  onChange: (value: LeafValue) => void
  /** The segment being edited. */
  segmentId: string | null
  /** The operator's input, if it is inside the sentence. */
  operatorInput: ReactNode
}

export const labelOf = ({ name }: ValueProps, t: (key: 'editor.value') => string): string =>
  `${name}: ${t('editor.value')}`
export const listOf = ({ leaf: { value } }: ValueProps): (string | number)[] => (Array.isArray(value) ? value : [])
/** An empty list counts as a missing value. */
export const orNull = (list: (string | number)[]): (string | number)[] | null => (list.length > 0 ? list : null)

/** An incomplete value may lack any of its parts. */
export const objectOf = (value: unknown): object =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}

/** The unit after an amount. */
export function useMoneyUnit(): string {
  const language = useLanguage()
  const { currency } = useMerchant()
  return currency === 'JPY' ? { ja: '円', en: currency }[language] : currency
}

interface RangeProps {
  label: string
  value: readonly unknown[]
  wide?: boolean
  errorAt: (key: string) => string | undefined
  onChange: (pair: [unknown, unknown]) => void
}
export function Range({ label, value: [from, to], wide, errorAt, onChange }: RangeProps) {
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
        {{ ja: '〜', en: '–' }[language]}
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

/** The settings of date pickers in the current language. */
function useDays(id: string, value: unknown) {
  const language = useLanguage()
  const { pickers } = useFormat()
  const calendar = useCalendar({ value })
  return {
    /** The button's own text belongs in its name (WCAG 2.5.3). */
    shown: (days: readonly unknown[]) =>
      days
        .filter((day) => typeof day === 'string' && day !== '')
        .map((day) =>
          dayjs(day as string)
            .locale(language)
            .format(pickers.date),
        )
        .join(' – '),
    look: {
      size: 'sm',
      valueFormat: pickers.date,
      // The calendar takes its name from the button, which it finds by the id of both.
      id: `date-${id}`,
      popoverProps: { withinPortal: true, id: `date-${id}` },
      ...calendar,
      hideOutsideDates: true,
      classNames: { day: classes.day ?? '' },
    } as const,
  }
}
const day = (given: unknown): string | null => (typeof given === 'string' && given !== '' ? given : null)

interface DayProps {
  id: string
  label: string
  error: string | undefined
}
export function DayField({
  id,
  label,
  value,
  error,
  onChange,
}: DayProps & { value: unknown; onChange: (day: string | null) => void }) {
  const t = useWords('segments')
  const { shown, look } = useDays(id, value)
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
export function DaysField(
  props: DayProps & {
    from: unknown
    to: unknown
    onChange: (days: [string, string]) => void
    /** The label of the button that clears the days; without it they cannot be cleared. */
    clearLabel?: string
  },
) {
  const { id, label, from, to, error, onChange, clearLabel } = props
  const t = useWords('segments')
  const { shown, look } = useDays(id, from)
  return (
    <DatePickerInput
      type="range"
      className={classes.dates}
      aria-label={`${label} ${shown([from, to]) || t('editor.chooseDates')}`}
      placeholder={t('editor.chooseDates')}
      {...look}
      allowSingleDateInRange
      {...(clearLabel && { clearable: true, clearButtonProps: { 'aria-label': clearLabel } })}
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
  /** Without calendar days. */
  onlyDays?: boolean
}
/** When: at any time, within the last days, between two days. */
export function WindowField({ id, name, value, errorAt, onChange, onlyDays }: WindowProps) {
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

/** The window within a value. */
export const WindowOf = ({
  leaf,
  name,
  errorAt,
  value,
  onChange,
}: Pick<ValueProps, 'leaf' | 'name' | 'errorAt'> & Pick<WindowProps, 'value' | 'onChange'>) => (
  <WindowField id={leaf.id} name={name} value={value} errorAt={(key) => errorAt(`.window${key}`)} onChange={onChange} />
)

interface AmountProps {
  label: string
  operator: Operator
  value: unknown
  wide?: boolean
  errorAt: (key: string) => string | undefined
  onChange: (value: unknown) => void
}
/** The number in such a sentence: one, or a pair. */
export const Amount = ({ label, operator, value, wide, errorAt, onChange }: AmountProps) =>
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

/** In Japanese the number comes before the operator (3回以上), in English after it (at least 3). */
export function OperatorAndValue({ operatorInput, children }: { operatorInput: ReactNode; children: ReactNode }) {
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
/** Any, or chosen ones. */
export const AnyOf = ({ label, any, some, value, onChange, children }: AnyOfProps) => (
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

interface CountedWithinProps extends ValueProps {
  given: { value: unknown; window: Window }
  /** The input for the items. */
  which: ReactNode
  unit: string
  put: (change: object) => void
}
/** How many times something happened, with which items and when, in the order of the language. */
export function CountedWithin({ given, which, unit, put, ...props }: CountedWithinProps) {
  const { name, operator, errorAt, operatorInput } = props
  const t = useWords('segments')
  const language = useLanguage()
  const window = <WindowOf {...props} value={given.window} onChange={(next) => put({ window: next })} />
  const counted = (
    <OperatorAndValue operatorInput={operatorInput}>
      <Amount
        label={`${name}: ${t('editor.value')}`}
        operator={operator}
        value={given.value}
        errorAt={errorAt}
        onChange={(value) => put({ value })}
      />
      <span className={classes.word}>{unit}</span>
    </OperatorAndValue>
  )
  return language === 'ja' ? (
    <>
      {window}
      {which}
      {counted}
    </>
  ) : (
    <>
      {counted}
      {which}
      {window}
    </>
  )
}

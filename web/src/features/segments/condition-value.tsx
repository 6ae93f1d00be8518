import { MultiSelect, NumberInput, Select, TagsInput, TextInput } from '@mantine/core'
import { DatePickerInput } from '@mantine/dates'
import { currencyDigits } from '@okaeri/contract/money'
import { type ConditionField, type Leaf, type Operator, valueShapeOf } from '@okaeri/contract/segments/condition'
import dayjs from 'dayjs'
import { useLanguage, useWords } from '../../app/i18n.ts'
import { useMerchant } from '../../app/merchant.tsx'
import { fieldReasonText } from '../../app/reasons.ts'
import classes from './condition-editor.module.css'
import { monthName, nameOf } from './condition-words.ts'
import { ProductPicker } from './product-picker.tsx'

type Value = Leaf['value']

interface ConditionValueProps {
  leaf: Leaf
  field: ConditionField
  operator: Operator
  /** Of the row, for the labels. */
  name: string
  errors: Record<string, string>
  path: string
  onChange: (value: Value) => void
}

const MONTHS = Array.from({ length: 12 }, (_, at) => at + 1)

/** The input that fits the field and its comparison. */
export function ConditionValue({ leaf, field, operator, name, errors, path, onChange }: ConditionValueProps) {
  const t = useWords('segments')
  const language = useLanguage()
  const { currency } = useMerchant()
  const { value } = leaf
  const reasonAt = (at: string) => errors[at] && fieldReasonText(errors[at], language)
  /** Of the value itself, else the first of its items. */
  const itemError = () => reasonAt(Object.keys(errors).find((key) => key.startsWith(`${path}.`)) ?? '')
  const error = reasonAt(path)
  const label = `${name}: ${t('editor.value')}`
  const shape = valueShapeOf(field.type, operator)

  const isAmount = field.name === 'orders_amount'
  const unit = isAmount
    ? language === 'ja' && currency === 'JPY'
      ? '円'
      : currency
    : ((language === 'ja' ? field.unit_ja : field.unit_en) ?? '')
  const numbers = {
    min: 0,
    ...(field.max !== undefined && { max: field.max }),
    clampBehavior: 'none',
    thousandSeparator: ',',
    allowNegative: false,
    allowDecimal: isAmount && currencyDigits(currency) > 0,
    decimalScale: currencyDigits(currency),
    suffix: unit && ` ${unit}`,
    inputMode: 'decimal',
  } as const
  const dates = {
    valueFormat: language === 'ja' ? 'YYYY年M月D日' : 'MMM D, YYYY',
    placeholder: t('editor.chooseDate'),
    // The calendar takes its name from the button, which it finds by the id of both.
    id: `date-${leaf.id}`,
    popoverProps: { withinPortal: true, id: `date-${leaf.id}` },
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
  } as const

  /** The button's own text belongs in its name (WCAG 2.5.3). */
  const shownDays = (days: (string | null)[]) =>
    days
      .filter((day) => day !== null && day !== '')
      .map((day) => dayjs(day).locale(language).format(dates.valueFormat))
      .join(' – ')

  switch (shape) {
    case 'none':
      return null
    case 'text':
      return (
        <TextInput
          className={classes.value}
          aria-label={label}
          value={typeof value === 'string' ? value : ''}
          error={error}
          maxLength={1000}
          onChange={(event) => onChange(event.currentTarget.value || null)}
        />
      )
    case 'number':
      return (
        <NumberInput
          className={classes.narrow}
          aria-label={label}
          {...numbers}
          value={typeof value === 'number' ? value : ''}
          error={error}
          onChange={(typed) => onChange(typeof typed === 'number' ? typed : null)}
        />
      )
    case 'number_range':
    case 'date_range': {
      const [from = '', to = ''] = Array.isArray(value) ? value : []
      if (shape === 'date_range') {
        const day = (given: string | number) => (typeof given === 'string' && given ? given : null)
        return (
          <DatePickerInput
            type="range"
            className={classes.value}
            aria-label={`${label} ${shownDays([day(from), day(to)]) || t('editor.chooseDates')}`}
            {...dates}
            placeholder={t('editor.chooseDates')}
            allowSingleDateInRange
            value={[day(from), day(to)]}
            error={error ?? itemError()}
            onChange={([first, last]) => onChange([first ?? '', last ?? ''])}
          />
        )
      }
      const one = (given: string | number, at: 0 | 1) => (
        <NumberInput
          aria-label={`${label} ${t(at === 0 ? 'editor.from' : 'editor.to')}`}
          {...numbers}
          value={given}
          error={error ?? reasonAt(`${path}.${at}`)}
          onChange={(typed) => {
            const next = typeof typed === 'number' ? typed : ''
            onChange(at === 0 ? [next, to] : [from, next])
          }}
        />
      )
      return (
        <div className={classes.range}>
          {one(from, 0)}
          <span className={classes.to} aria-hidden>
            {language === 'ja' ? '〜' : '–'}
          </span>
          {one(to, 1)}
        </div>
      )
    }
    case 'boolean':
      return (
        <Select
          className={classes.narrow}
          aria-label={label}
          data={[
            { value: 'true', label: t('editor.yes') },
            { value: 'false', label: t('editor.no') },
          ]}
          value={typeof value === 'boolean' ? String(value) : null}
          error={error}
          onChange={(chosen) => onChange(chosen === 'true')}
        />
      )
    case 'date':
      return (
        <DatePickerInput
          className={classes.value}
          aria-label={`${label} ${shownDays([typeof value === 'string' ? value : null]) || dates.placeholder}`}
          {...dates}
          value={typeof value === 'string' && value ? value : null}
          error={error}
          onChange={(day) => onChange(day)}
        />
      )
    case 'days':
      return (
        <NumberInput
          className={classes.narrow}
          aria-label={`${name}: ${t('editor.daysBack')}`}
          min={0}
          clampBehavior="none"
          allowDecimal={false}
          allowNegative={false}
          suffix={` ${t('editor.days')}`}
          value={typeof value === 'number' ? value : ''}
          error={error}
          onChange={(typed) => onChange(typeof typed === 'number' ? typed : null)}
        />
      )
    case 'month':
      return (
        <Select
          className={classes.narrow}
          aria-label={`${name}: ${t('editor.month')}`}
          placeholder={t('editor.choose')}
          data={MONTHS.map((month) => ({ value: String(month), label: monthName(month, language) }))}
          value={typeof value === 'number' ? String(value) : null}
          error={error}
          onChange={(month) => onChange(month === null ? null : Number(month))}
        />
      )
    case 'choices':
      return (
        <MultiSelect
          className={classes.wide}
          aria-label={label}
          placeholder={Array.isArray(value) && value.length > 0 ? '' : t('editor.choose')}
          data={(field.choices ?? []).map((choice) => ({ value: choice.value, label: nameOf(choice, language) }))}
          value={Array.isArray(value) ? value.map(String) : []}
          error={error ?? itemError()}
          onChange={(chosen) => onChange(chosen.length > 0 ? chosen : null)}
        />
      )
    case 'tags':
      return (
        <TagsInput
          className={classes.wide}
          aria-label={label}
          placeholder={Array.isArray(value) && value.length > 0 ? '' : t('editor.tags')}
          acceptValueOnBlur
          value={Array.isArray(value) ? value.map(String) : []}
          error={error ?? itemError()}
          onChange={(tags) => onChange(tags.length > 0 ? tags : null)}
        />
      )
    case 'products':
      return (
        <ProductPicker
          label={label}
          name={name}
          value={value !== null && typeof value === 'object' && 'ids' in value ? value : null}
          error={error ?? itemError()}
          onChange={onChange}
        />
      )
  }
}

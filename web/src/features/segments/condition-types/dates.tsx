import { Select } from '@mantine/core'
import { useLanguage, useWords } from '../../../app/i18n.ts'
import classes from '../editor/condition-editor.module.css'
import { monthName } from '../editor/condition-names.ts'
import { NumberField } from '../editor/number-field.tsx'
import { DayField, DaysField, labelOf, listOf, type ValueProps } from '../editor/value-parts.tsx'
import type { EditedType } from './edited-type.ts'

const MONTHS = Array.from({ length: 12 }, (_, at) => at + 1)
const DAYS_OF_A_MONTH = Array.from({ length: 31 }, (_, at) => at + 1)

function DaysBack({ leaf, name, errorAt, onChange }: ValueProps) {
  const t = useWords('segments')
  return (
    <NumberField
      label={`${name}: ${t('editor.daysBack')}`}
      value={leaf.value}
      error={errorAt('')}
      onChange={onChange}
    />
  )
}

function DateValue(props: ValueProps) {
  const { leaf, operator, errorAt, onChange } = props
  const t = useWords('segments')
  if (operator === 'within_last_days' || operator === 'more_than_days_ago') return <DaysBack {...props} />
  const shared = { id: leaf.id, label: labelOf(props, t), error: errorAt('') }
  if (operator !== 'between') return <DayField {...shared} value={leaf.value} onChange={onChange} />
  const [from, to] = listOf(props)
  return <DaysField {...shared} from={from} to={to} onChange={onChange} />
}

export const date: EditedType = {
  Value: DateValue,
  empty: (operator) => (operator === 'between' ? ['', ''] : null),
}

function BirthdayValue(props: ValueProps) {
  const { leaf, operator, name, errorAt, onChange } = props
  const t = useWords('segments')
  const language = useLanguage()
  if (operator === 'within_next_days') return <DaysBack {...props} />
  const isMonth = operator === 'month_is'
  return (
    <Select
      className={classes.choice}
      size="sm"
      aria-label={`${name}: ${t(isMonth ? 'editor.month' : 'editor.dayOfMonth')}`}
      placeholder={t('editor.choose')}
      maxDropdownHeight={300}
      data={
        isMonth
          ? MONTHS.map((month) => ({ value: String(month), label: monthName(month, language) }))
          : DAYS_OF_A_MONTH.map((day) => ({ value: String(day), label: String(day) }))
      }
      value={typeof leaf.value === 'number' ? String(leaf.value) : null}
      error={errorAt('')}
      onChange={(chosen) => onChange(chosen === null ? null : Number(chosen))}
    />
  )
}

export const birthday: EditedType = { Value: BirthdayValue }

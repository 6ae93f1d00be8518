import { MultiSelect, Select, TextInput } from '@mantine/core'
import { type ConditionField, type LeafValue, valueShapeOf } from '@okaeri/contract/segments/condition'
import { useLanguage, useWords } from '../../app/i18n.ts'
import classes from './condition-editor.module.css'
import { monthName, nameOf } from './condition-names.ts'
import { MailsValueInput } from './mails-value.tsx'
import { NumberField } from './number-field.tsx'
import { OrderedValueInput } from './ordered-value.tsx'
import { NamedPicker, TextsField } from './pickers.tsx'
import { InScenarioInput, ScenariosValueInput } from './scenarios-value.tsx'
import { ItemsValueInput } from './items-value.tsx'
import { DayField, DaysField, objectOf, Range, useMoneyUnit, type ValueProps, WindowField } from './value-parts.tsx'

const MONTHS = Array.from({ length: 12 }, (_, at) => at + 1)
const DAYS_OF_A_MONTH = Array.from({ length: 31 }, (_, at) => at + 1)
/** Contract: a comparison names at most so many segments. */
const MAX_SEGMENTS = 20

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
      return <OrderedValueInput {...props} />
    case 'mails':
      return <MailsValueInput {...props} />
    case 'things':
      return <ItemsValueInput {...props} />
    case 'in_scenario':
      return <InScenarioInput {...props} />
    case 'scenarios':
      return <ScenariosValueInput {...props} />
  }
}

const booleanKind = (name: string): 'given' | 'state' | 'plain' => {
  if (name === 'suppressed') return 'state'
  return name === 'accepts_marketing' || name === 'accepts_transactions' || name === 'line_connected'
    ? 'given'
    : 'plain'
}

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
  const money = useMoneyUnit()
  const unit = field.money ? money : language === 'ja' ? field.unit_ja : field.unit_en
  return unit ? <span className={classes.word}>{unit}</span> : null
}

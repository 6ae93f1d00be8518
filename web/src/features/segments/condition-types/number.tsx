import type { ConditionField } from '@okaeri/contract/segments/condition'
import { useLanguage, useWords } from '../../../app/i18n.ts'
import classes from '../editor/condition-editor.module.css'
import { NumberField } from '../editor/number-field.tsx'
import { labelOf, listOf, Range, useMoneyUnit, type ValueProps } from '../editor/value-parts.tsx'
import type { EditedType } from './edited-type.ts'

function Value(props: ValueProps) {
  const { leaf, field, operator, errorAt, onChange } = props
  const t = useWords('segments')
  const shared = { label: labelOf(props, t), wide: Boolean(field.money) }
  return (
    <>
      {operator === 'between' ? (
        <Range
          {...shared}
          value={listOf(props)}
          errorAt={errorAt}
          onChange={(pair) => onChange(pair as (string | number)[])}
        />
      ) : (
        <NumberField {...shared} value={leaf.value} error={errorAt('')} onChange={onChange} />
      )}
      <Unit field={field} />
    </>
  )
}

function Unit({ field }: { field: ConditionField }) {
  const language = useLanguage()
  const money = useMoneyUnit()
  const unit = field.money ? money : language === 'ja' ? field.unit_ja : field.unit_en
  return unit ? <span className={classes.word}>{unit}</span> : null
}

export const number: EditedType = { Value, empty: (operator) => (operator === 'between' ? ['', ''] : null) }

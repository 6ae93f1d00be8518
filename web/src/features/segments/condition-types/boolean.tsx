import { Select } from '@mantine/core'
import { useWords } from '../../../app/i18n.ts'
import classes from '../condition-editor.module.css'
import { labelOf, type ValueProps } from '../value-parts.tsx'
import type { EditedType } from './edited-type.ts'

/** Fields that describe a state, instead of a given consent. */
const isState = (name: string): boolean => name === 'suppressed' || name === 'line_blocked'

const booleanKind = (name: string): 'given' | 'state' | 'plain' => {
  if (isState(name)) return 'state'
  return name === 'accepts_marketing' || name === 'accepts_transactions' || name === 'line_connected'
    ? 'given'
    : 'plain'
}

function Value(props: ValueProps) {
  const { leaf, field, errorAt, onChange } = props
  const t = useWords('segments')
  return (
    <Select
      className={classes.choice}
      size="sm"
      aria-label={labelOf(props, t)}
      data={(['yes', 'no'] as const).map((each) => ({
        value: String(each === 'yes'),
        label: t(`editor.bool.${booleanKind(field.name)}_${each}`),
      }))}
      value={typeof leaf.value === 'boolean' ? String(leaf.value) : null}
      error={errorAt('')}
      onChange={(chosen) => onChange(chosen === 'true')}
    />
  )
}

export const boolean: EditedType = {
  Value,
  empty: () => true,
  particle: (fieldName) => (isState(fieldName) ? 'none' : undefined),
}

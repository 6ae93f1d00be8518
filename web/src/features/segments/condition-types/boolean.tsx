import { Select } from '@mantine/core'
import { useWords } from '../../../app/i18n.ts'
import classes from '../editor/condition-editor.module.css'
import { labelOf, type ValueProps } from '../editor/value-parts.tsx'
import type { EditedType } from './edited-type.ts'

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
        label: t(`editor.bool.${field.says ?? 'plain'}_${each}`),
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
  particle: ({ says }) => (says === 'state' ? 'none' : undefined),
}

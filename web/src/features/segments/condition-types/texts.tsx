import { TextInput } from '@mantine/core'
import { useWords } from '../../../app/i18n.ts'
import classes from '../editor/condition-editor.module.css'
import { TextsField } from '../editor/pickers.tsx'
import { labelOf, listOf, orNull, type ValueProps } from '../editor/value-parts.tsx'
import type { EditedType } from './edited-type.ts'

function TextField(props: ValueProps) {
  const t = useWords('segments')
  const { leaf, errorAt, onChange } = props
  return (
    <TextInput
      className={classes.text}
      size="sm"
      aria-label={labelOf(props, t)}
      placeholder={t('editor.text')}
      value={typeof leaf.value === 'string' ? leaf.value : ''}
      error={errorAt('')}
      maxLength={1000}
      onChange={(event) => onChange(event.currentTarget.value || null)}
    />
  )
}

const listWith = (placeholder: 'editor.texts' | 'editor.tags' | 'editor.postal') =>
  function TextList(props: ValueProps) {
    const t = useWords('segments')
    const { leaf, errorAt, onChange } = props
    return (
      <TextsField
        label={labelOf(props, t)}
        placeholder={t(placeholder)}
        value={listOf(props)}
        error={errorAt('')}
        suggest={leaf.name === 'tags' && leaf.category === 'customer' ? 'customer_tag' : undefined}
        onChange={(list) => onChange(orNull(list))}
      />
    )
  }
const TextsOfText = listWith('editor.texts')

export const text: EditedType = {
  Value: (props) =>
    props.operator === 'is_one_of' || props.operator === 'is_none_of' ? (
      <TextsOfText {...props} />
    ) : (
      <TextField {...props} />
    ),
}
export const tags: EditedType = { Value: listWith('editor.tags'), ofOneField: true }
export const postalCode: EditedType = { Value: listWith('editor.postal') }

import { MultiSelect } from '@mantine/core'
import { useLanguage, useWords } from '../../../app/i18n.ts'
import classes from '../editor/condition-editor.module.css'
import { nameOf } from '../editor/condition-names.ts'
import { labelOf, listOf, orNull, type ValueProps } from '../editor/value-parts.tsx'
import type { EditedType } from './edited-type.ts'

function Value(props: ValueProps) {
  const { field, errorAt, onChange } = props
  const t = useWords('segments')
  const language = useLanguage()
  const list = listOf(props)
  return (
    <MultiSelect
      className={classes.picker}
      size="sm"
      aria-label={labelOf(props, t)}
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
      onChange={(chosen) => onChange(orNull(chosen))}
    />
  )
}

export const choice: EditedType = { Value, ofOneField: true }

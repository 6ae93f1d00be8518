import { MAX_SEGMENTS } from '@okaeri/contract/segments/condition-types/segment'
import { useWords } from '../../../app/i18n.ts'
import { NamedPicker } from '../editor/pickers.tsx'
import { labelOf, listOf, orNull, type ValueProps } from '../editor/value-parts.tsx'
import type { EditedType } from './edited-type.ts'

function Value(props: ValueProps) {
  const { names, errorAt, onChange, segmentId } = props
  const t = useWords('segments')
  return (
    <NamedPicker
      kind="segments"
      label={labelOf(props, t)}
      placeholder={t('editor.pick.segments')}
      names={names}
      value={listOf(props).map(String)}
      max={MAX_SEGMENTS}
      except={segmentId}
      error={errorAt('')}
      onChange={(ids) => onChange(orNull(ids))}
    />
  )
}

export const segment: EditedType = { Value, particle: () => 'no' }

import { useWords } from '../../../app/i18n.ts'
import { NamedPicker } from '../editor/pickers.tsx'
import { labelOf, objectOf, type ValueProps, WindowField } from '../editor/value-parts.tsx'
import type { EditedType } from './edited-type.ts'

function Value(props: ValueProps) {
  const { leaf, name, names, errorAt, onChange } = props
  const t = useWords('segments')
  const chosen = objectOf(leaf.value) as { ids?: string[]; within_days?: number | null }
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
        label={labelOf(props, t)}
        placeholder={t('editor.pick.products')}
        names={names}
        value={chosen.ids ?? []}
        error={errorAt('.ids')}
        onChange={(ids) => put({ ids })}
      />
    </>
  )
}

export const product: EditedType = { Value, empty: () => ({ ids: [], within_days: null }) }

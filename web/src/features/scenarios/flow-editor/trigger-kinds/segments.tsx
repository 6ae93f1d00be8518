import type { TriggerOf } from '@okaeri/contract/scenarios/trigger'
import { getSegment, listSegments } from '@okaeri/contract/segments/routes'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../../../api/call.ts'
import { queryOf } from '../../../../api/queries.ts'
import { ownWords } from '../../../../app/i18n.ts'
import { SearchSelect } from '../../../../ui/search-select.tsx'
import type { TriggerFormProps } from './trigger-form.tsx'

const useText = ownWords({
  segment: { ja: 'セグメント', en: 'Segment' },
  segmentPlaceholder: { ja: 'セグメント名で検索', en: 'Search by name' },
})

const CHOICES = 20

export function SegmentForm({
  trigger,
  onChange,
}: TriggerFormProps<TriggerOf<'segment_entered' | 'segment_left' | 'manual'>>) {
  const t = useText()
  const value = trigger.segment_id
  const { data } = useQuery({ ...queryOf(getSegment, { params: { id: value ?? '' } }), enabled: value !== null })
  return (
    <SearchSelect
      label={t('segment')}
      placeholder={t('segmentPlaceholder')}
      value={value}
      valueLabel={value === null ? null : data?.customer_segment.name}
      onChange={(segment_id) => onChange({ ...trigger, segment_id })}
      clearable
      area={listSegments.area}
      among="own"
      find={async (q) =>
        (await call(listSegments, { query: { limit: CHOICES, origin: 'own', ...(q && { q }) } })).data.map((one) => ({
          value: one.id,
          label: one.name,
        }))
      }
    />
  )
}

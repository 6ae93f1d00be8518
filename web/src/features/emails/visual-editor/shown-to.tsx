import { Text } from '@mantine/core'
import type { ShownTo } from '@okaeri/contract/emails/design'
import { getSegment, listSegments } from '@okaeri/contract/segments/routes'
import { useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../api/call.ts'
import { queryOf } from '../../../api/queries.ts'
import { useWords } from '../../../app/i18n.ts'
import { SearchSelect } from '../../../ui/search-select.tsx'
import { SelectField } from './fields.tsx'

const CHOICES = 20

/** The names of segments that blocks are for; of one that was deleted, that it was. */
export function useSegmentNames(ids: readonly string[]): (id: string) => string {
  const t = useWords('design')
  const once = [...new Set(ids)]
  const found = useQueries({ queries: once.map((id) => queryOf(getSegment, { params: { id } })) })
  return (id) => {
    const query = found[once.indexOf(id)]
    if (query?.isError) return t('mark.gone')
    return query?.data?.customer_segment.name ?? '…'
  }
}

/** The note at a block that not all see; null for the others. */
export function useMarks(blocks: readonly { shown_to: ShownTo | null }[]): (to: ShownTo | null) => string | null {
  const t = useWords('design')
  const nameOf = useSegmentNames(blocks.flatMap(({ shown_to }) => shown_to?.segment_id ?? []))
  return (to) => to && t(`mark.${to.who}`, { segment: nameOf(to.segment_id) })
}

interface ShownToFieldProps {
  value: ShownTo | null
  onChange: (value: ShownTo | null) => void
}

/** Who sees a block: all, the members of a segment, or all others. */
export function ShownToField({ value, onChange }: ShownToFieldProps) {
  const t = useWords('design')
  // Without a segment it is not yet limited to anyone.
  const [wanted, setWanted] = useState<ShownTo['who']>('members')
  const [open, setOpen] = useState(false)
  const nameOf = useSegmentNames(value ? [value.segment_id] : [])
  const who = value?.who ?? (open ? wanted : 'all')
  return (
    <>
      <SelectField
        label={t('field.shownTo')}
        value={who}
        choices={(['all', 'members', 'others'] as const).map((one) => ({ value: one, label: t(`who.${one}`) }))}
        onChange={(chosen) => {
          setOpen(chosen !== 'all')
          if (chosen === 'all') return onChange(null)
          setWanted(chosen)
          if (value) onChange({ ...value, who: chosen })
        }}
      />
      {who !== 'all' && (
        <SearchSelect
          label={t('field.segment')}
          placeholder={t('field.segmentPlaceholder')}
          value={value?.segment_id ?? null}
          valueLabel={value && nameOf(value.segment_id)}
          onChange={(id) => id !== null && onChange({ segment_id: id, who })}
          area={listSegments.area}
          among="of-block"
          find={async (q) =>
            (await call(listSegments, { query: { limit: CHOICES, ...(q && { q }) } })).data.map(({ id, name }) => ({
              value: id,
              label: name,
            }))
          }
        />
      )}
      {who !== 'all' && value === null && (
        <Text size="sm" c="dimmed">
          {t('field.segmentMissing')}
        </Text>
      )}
    </>
  )
}

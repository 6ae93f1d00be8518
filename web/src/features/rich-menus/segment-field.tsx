import { listSegments } from '@okaeri/contract/segments/routes'
import type { ReactNode } from 'react'
import { call } from '../../api/call.ts'
import { useFormat } from '../../app/format.ts'
import { useWords } from '../../app/i18n.ts'
import { SearchSelect } from '../../ui/search-select.tsx'

const CHOICES = 20

interface SegmentFieldProps {
  value: string | null
  valueLabel: string | null | undefined
  onChange: (id: string | null) => void
  error: ReactNode
}

/** The segment whose members see the menu. */
export function SegmentField(props: SegmentFieldProps) {
  const t = useWords('richMenus')
  const format = useFormat()
  return (
    <SearchSelect
      {...props}
      label={t('segment')}
      description={t('segmentHelp')}
      placeholder={t('segmentPlaceholder')}
      name="segment_id"
      area={listSegments.area}
      among="rich_menus"
      find={async (q) =>
        (await call(listSegments, { query: { limit: CHOICES, ...(q && { q }) } })).data.map((segment) => ({
          value: segment.id,
          label: segment.name,
          note:
            segment.customer_count === null
              ? t('segmentCalculating')
              : t('segmentCount', { n: format.number(segment.customer_count) }),
        }))
      }
    />
  )
}

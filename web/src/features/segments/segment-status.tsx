import type { Segment } from '@okaeri/contract/segments/segment'
import { useWords } from '../../app/i18n.ts'
import { StatusBadge } from '../../ui/status-badge.tsx'

const tones = { calculating: 'progress', ready: 'success', failed: 'danger' } as const

export function SegmentStatus({ segment }: { segment: Pick<Segment, 'status'> }) {
  const t = useWords('segments')
  return <StatusBadge tone={tones[segment.status]}>{t(`status.${segment.status}`)}</StatusBadge>
}

import type { Segment } from '@okaeri/contract/segments/segment'
import { useFormat } from '../../app/format.ts'
import { useWords } from '../../app/i18n.ts'
import { StatusBadge } from '../../ui/status-badge.tsx'

const tones = { calculating: 'progress', ready: 'success', failed: 'danger' } as const

export function SegmentStatus({ segment }: { segment: Pick<Segment, 'status'> }) {
  const t = useWords('segments')
  return <StatusBadge tone={tones[segment.status]}>{t(`status.${segment.status}`)}</StatusBadge>
}

/** Whether the number is current, and its time. */
export function Freshness({
  segment,
}: {
  segment: Pick<Segment, 'up_to_date' | 'members_at' | 'counted_at' | 'remote'>
}) {
  const t = useWords('segments')
  const format = useFormat()
  // The members of a remote segment are those of the last fetch; later updates here do not make it newer.
  const asked = segment.remote?.store_counted_at
  const at = asked ?? segment.members_at ?? segment.counted_at
  if (!at) return t('count.notYet')
  const time = format.relative(at)
  return (
    <span title={format.dateTime(at)}>{t(!segment.up_to_date ? 'notFresh' : asked ? 'asked' : 'fresh', { time })}</span>
  )
}

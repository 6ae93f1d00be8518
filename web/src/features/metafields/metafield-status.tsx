import type { MetafieldSetting, MetafieldStatus as Status } from '@okaeri/contract/metafields/metafield'
import { useWords } from '../../app/i18n.ts'
import { Progress } from '../../ui/progress.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'

/** Refresh interval while values are fetched. */
export const POLL_MS = 2000
export const IDLE_POLL_MS = 30_000
export const isMoving = (status: Status): boolean => status === 'waiting' || status === 'filling'

const tones = { waiting: 'neutral', filling: 'progress', ready: 'success', failed: 'danger' } as const

export function MetafieldStatus({ status }: { status: Status }) {
  const t = useWords('metafields')
  return <StatusBadge tone={tones[status]}>{t(`status.${status}`)}</StatusBadge>
}

/** How much of the export is stored; before that, how many customers the store has exported. */
export function FillProgress({
  label,
  progress,
}: {
  label: string
  progress: NonNullable<MetafieldSetting['progress']>
}) {
  const { exported_count: exported, loaded_count: loaded } = progress
  return loaded === 0 ? (
    <Progress label={label} done={exported} total={null} />
  ) : (
    <Progress label={label} done={loaded} total={Math.max(exported, loaded)} />
  )
}

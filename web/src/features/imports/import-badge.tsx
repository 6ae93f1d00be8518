import type { Import } from '@okaeri/contract/imports/import'
import { useWords } from '../../app/i18n.ts'
import { StatusBadge, type Tone } from '../../ui/status-badge.tsx'

const tones: Record<Import['status'], Tone> = {
  mapping: 'info',
  running: 'progress',
  done: 'success',
  failed: 'danger',
  cancelled: 'neutral',
}

export function ImportBadge({ one }: { one: Import }) {
  const t = useWords('imports')
  if (one.status === 'done' && one.error_count > 0)
    return <StatusBadge tone="warning">{t('status.doneWithErrors')}</StatusBadge>
  return <StatusBadge tone={tones[one.status]}>{t(`status.${one.status}`)}</StatusBadge>
}

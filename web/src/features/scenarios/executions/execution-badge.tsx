import { Group } from '@mantine/core'
import type { Execution } from '@okaeri/contract/scenarios/execution'
import { useWords } from '../../../app/i18n.ts'
import { StatusBadge } from '../../../ui/status-badge.tsx'
import { executionTones, isAsleep } from './execution-words.ts'

export function ExecutionBadge({ execution }: { execution: Execution }) {
  const t = useWords('scenarios')
  const { status, test, held_out } = execution
  return (
    <Group gap={4}>
      {isAsleep(execution) ? (
        <StatusBadge tone="info">{t('execution.asleep')}</StatusBadge>
      ) : (
        <StatusBadge tone={executionTones[status]}>{t(`execution.status.${status}`)}</StatusBadge>
      )}
      {test && <StatusBadge tone="warning">{t('history.test')}</StatusBadge>}
      {held_out && <StatusBadge tone="neutral">{t('history.heldOut')}</StatusBadge>}
    </Group>
  )
}

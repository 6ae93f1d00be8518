import { Group } from '@mantine/core'
import type { Scenario, ScenarioStatus } from '@okaeri/contract/scenarios/scenario'
import { useFormat } from '../../app/format.ts'
import { useWords } from '../../app/i18n.ts'
import { StatusBadge, type Tone } from '../../ui/status-badge.tsx'

const tones: Record<ScenarioStatus, Tone> = {
  draft: 'neutral',
  active: 'success',
  stopped: 'warning',
  deleted: 'neutral',
}

export function ScenarioBadge({ status }: { status: ScenarioStatus }) {
  const t = useWords('scenarios')
  return <StatusBadge tone={tones[status]}>{t(`status.${status}`)}</StatusBadge>
}

/** What of a scenario wants somebody's eyes: nothing where all is well. */
export function ScenarioSigns({ scenario }: { scenario: Scenario }) {
  const t = useWords('scenarios')
  const format = useFormat()
  const { problems, failed_count: failed, late_count: late, braked, status } = scenario
  const counted = (count: number) => ({ count, n: format.number(count) })
  if (status === 'deleted') return null
  return (
    <Group gap={4}>
      {problems.length > 0 && (
        <StatusBadge tone={status === 'active' ? 'danger' : 'neutral'}>{t('sign.problems')}</StatusBadge>
      )}
      {failed > 0 && <StatusBadge tone="danger">{t('sign.failed', counted(failed))}</StatusBadge>}
      {late > 0 && <StatusBadge tone="warning">{t('sign.late', counted(late))}</StatusBadge>}
      {braked && <StatusBadge tone="warning">{t('sign.braked', counted(braked.waiting))}</StatusBadge>}
    </Group>
  )
}

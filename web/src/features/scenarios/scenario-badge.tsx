import { Group } from '@mantine/core'
import type { Scenario, ScenarioStatus } from '@okaeri/contract/scenarios/scenario'
import { useFormat } from '../../app/format.ts'
import { useWords } from '../../app/i18n.ts'
import { paths } from '../../app/paths.ts'
import { TextLink } from '../../ui/links.tsx'
import { StatusBadge, type Tone } from '../../ui/status-badge.tsx'
import { useCounted } from './counted.ts'

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

/** What needs attention in a scenario, each with a link; nothing if all is well. */
export function ScenarioSigns({ scenario }: { scenario: Scenario }) {
  const t = useWords('scenarios')
  const format = useFormat()
  const { inWords } = useCounted()
  const {
    id,
    problems,
    failed_count: failed,
    late_count: late,
    failed_entries: entries,
    braked,
    status,
    held_steps,
  } = scenario
  const exactly = (count: number) => ({ count, n: format.number(count) })
  const sign = (tone: Tone, text: string, search: Record<string, string> = {}) => (
    <TextLink to={paths.scenario(id)} search={search} underline="never">
      <StatusBadge tone={tone}>{text}</StatusBadge>
    </TextLink>
  )
  if (status === 'deleted') return null
  return (
    <Group gap={4}>
      {problems.length > 0 && sign(status === 'active' ? 'danger' : 'neutral', t('sign.problems'))}
      {failed > 0 &&
        sign('danger', t('sign.failed', inWords(failed)), { tab: 'people', status: 'failed', test: 'false' })}
      {entries && sign('danger', t('sign.failedEntries', exactly(entries.count)), { tab: 'people' })}
      {late > 0 && sign('warning', t('sign.late', inWords(late)), { tab: 'people', status: 'late' })}
      {braked && sign('warning', t('sign.braked', exactly(braked.waiting)), { tab: 'people' })}
      {held_steps.length > 0 && sign('danger', t('sign.heldStep'))}
    </Group>
  )
}

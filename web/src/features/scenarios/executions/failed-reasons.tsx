import { List } from '@mantine/core'
import { listExecutions } from '@okaeri/contract/scenarios/execution'
import type { StepError } from '@okaeri/contract/scenarios/execution-status'
import { useQuery } from '@tanstack/react-query'
import { queryOf } from '../../../api/queries.ts'
import { useFormat } from '../../../app/format.ts'
import { useWords } from '../../../app/i18n.ts'
import { TextLink } from '../../../ui/links.tsx'

const LOOKED_AT = 100

/** Why executions of a scenario failed. If there are very many, only the newest are read, and the numbers are left out. */
export function FailedReasons({ scenarioId, total }: { scenarioId: string; total: number }) {
  const t = useWords('scenarios')
  const format = useFormat()
  const { data } = useQuery(
    queryOf(listExecutions, {
      query: { action_id: scenarioId, status: 'failed', test: 'false', limit: LOOKED_AT },
    }),
  )
  const counts = new Map<StepError, number>()
  for (const { last_error } of data?.data ?? [])
    if (last_error) counts.set(last_error.error, (counts.get(last_error.error) ?? 0) + 1)
  if (counts.size === 0) return null
  const reasons = [...counts].toSorted(([, one], [, other]) => other - one)
  return (
    <List size="sm" mb={6}>
      {reasons.map(([error, count]) => (
        <List.Item key={error}>
          <TextLink
            to="."
            search={{ tab: 'people', status: 'failed', test: 'false', error }}
            hash="history"
            underline="always"
          >
            {t(`execution.error.${error}`)}
          </TextLink>
          {total <= LOOKED_AT && t('failed.times', { count, n: format.number(count) })}
        </List.Item>
      ))}
    </List>
  )
}

import { Text } from '@mantine/core'
import { pageSizes } from '@okaeri/contract/paging'
import { listExecutions } from '@okaeri/contract/scenarios/execution'
import { listScenarios } from '@okaeri/contract/scenarios/routes'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { call } from '../../api/call.ts'
import { queryOf } from '../../api/queries.ts'
import { useWords } from '../../app/i18n.ts'
import { paths } from '../../app/paths.ts'
import { Card } from '../../ui/pages/detail-page.tsx'
import { usePages } from '../../ui/pages/pages.ts'
import { SearchSelect } from '../../ui/search-select.tsx'
import { ExecutionTable } from './executions/execution-table.tsx'

const CHOICES = 20

/** On a customer's page: their scenarios, and a way to ask why they are or are not in any other. */
export function CustomerScenarios({ customerId }: { customerId: string }) {
  const t = useWords('scenarios')
  const navigate = useNavigate()
  const pages = usePages()
  const query = useQuery({
    ...queryOf(listExecutions, { query: { customer_id: customerId, ...pages.query } }),
    placeholderData: keepPreviousData,
  })
  return (
    <Card
      title={t('customerCard.title')}
      action={
        <SearchSelect
          label={t('customerCard.ask')}
          placeholder={t('customerCard.pick')}
          value={null}
          onChange={(id) => {
            if (id) void navigate({ to: paths.scenario(id), search: { tab: 'people', customer: customerId } })
          }}
          area={listScenarios.area}
          w={280}
          find={async (q) =>
            (await call(listScenarios, { query: { limit: CHOICES, ...(q && { q }) } })).data.map((scenario) => ({
              value: scenario.id,
              label: scenario.name,
              note: t(`status.${scenario.status}`),
            }))
          }
        />
      }
    >
      {query.data?.total === 0 ? (
        <Text size="sm" c="dimmed">
          {t('customerCard.none')}
        </Text>
      ) : (
        <ExecutionTable
          query={query}
          columns={['scenario', 'event', 'status', 'sent', 'next', 'created_at']}
          empty={t('customerCard.none')}
          {...((query.data?.total ?? 0) > pageSizes[0] && { paging: pages.paging })}
        />
      )}
    </Card>
  )
}

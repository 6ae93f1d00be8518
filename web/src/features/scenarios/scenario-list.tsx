import { Stack, Text } from '@mantine/core'
import { listScenarios } from '@okaeri/contract/scenarios/routes'
import type { Scenario, ScenarioStatus } from '@okaeri/contract/scenarios/scenario'
import { triggerRules } from '@okaeri/contract/scenarios/trigger-kinds/index'
import { IconGitBranch } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { queryOf } from '../../api/queries.ts'
import { useFormat } from '../../app/format.ts'
import { useWords } from '../../app/i18n.ts'
import { useMerchant } from '../../app/merchant.tsx'
import { paths } from '../../app/paths.ts'
import { TextLink } from '../../ui/links.tsx'
import { ListPage } from '../../ui/pages/list-page.tsx'
import { useListState } from '../../ui/pages/list-state.ts'
import { RestockAlert } from '../restocks/restock-alert.tsx'
import { useCounted } from './counted.ts'
import { ScenarioSearch } from './search.ts'
import { useScenarioActions } from './scenario-actions.tsx'
import { ScenarioBadge, ScenarioSigns } from './scenario-badge.tsx'

const tabs: readonly ScenarioStatus[] = ['active', 'draft', 'stopped']

export function ScenarioList() {
  const t = useWords('scenarios')
  const format = useFormat()
  const { mayChange } = useMerchant()
  const list = useListState(ScenarioSearch)
  const query = useQuery({
    ...queryOf(listScenarios, { query: { ...list.query, ...(list.search.status && { status: list.search.status }) } }),
    placeholderData: keepPreviousData,
  })
  const actionsOf = useScenarioActions()
  const { counted } = useCounted()

  return (
    <ListPage<Scenario>
      title={t('title')}
      description={t('description')}
      notice={<RestockAlert />}
      {...(mayChange && { create: { label: t('add'), to: paths.scenarioNew() } })}
      list={list}
      query={query}
      searchPlaceholder={t('search')}
      tabs={{
        param: 'status',
        label: t('statusLabel'),
        items: tabs.map((value) => ({ value, label: t(`status.${value}`) })),
      }}
      columns={[
        {
          accessor: 'name',
          title: t('name'),
          sortable: true,
          cellsStyle: () => ({ minWidth: 220 }),
          render: (scenario) => (
            <>
              <TextLink to={paths.scenario(scenario.id)}>{scenario.name}</TextLink>
              <Text size="xs" c="dimmed">
                {triggerRules(scenario.trigger.kind).words.name[format.language]}
              </Text>
            </>
          ),
        },
        {
          accessor: 'status',
          title: t('statusLabel'),
          width: 210,
          render: (scenario) => (
            <Stack gap={4} align="flex-start">
              <ScenarioBadge status={scenario.status} />
              <ScenarioSigns scenario={scenario} />
            </Stack>
          ),
        },
        {
          accessor: 'execution_count',
          title: t('executionCount'),
          sortable: true,
          width: 150,
          textAlign: 'right',
          render: (scenario) => counted(scenario.execution_count),
        },
        {
          accessor: 'revenue',
          title: t('totalSales'),
          width: 140,
          textAlign: 'right',
          render: (scenario) => (scenario.execution_count === 0 ? '—' : format.money(scenario.revenue)),
        },
        {
          accessor: 'created_at',
          title: t('createdAt'),
          sortable: true,
          width: 160,
          render: (scenario) => format.dateTime(scenario.created_at),
        },
      ]}
      rowName={(scenario) => scenario.name}
      rowTo={(scenario) => paths.scenario(scenario.id)}
      rowActions={(scenario) => {
        const { edit, duplicate } = actionsOf(scenario)
        return [{ label: t('do.details'), to: paths.scenario(scenario.id) }, ...(mayChange ? [edit, duplicate] : [])]
      }}
      empty={{ icon: IconGitBranch, title: t('empty.title'), text: t('empty.text') }}
    />
  )
}

import { Paper, Stack, Text } from '@mantine/core'
import type { Dataset } from '@okaeri/contract/datasets/dataset'
import { listDatasets } from '@okaeri/contract/datasets/routes'
import { useQuery } from '@tanstack/react-query'
import { queryOf } from '../../api/queries.ts'
import { useFormat } from '../../app/format.ts'
import { useLanguage, useWords } from '../../app/i18n.ts'
import { paths } from '../../app/paths.ts'
import { TextLink } from '../../ui/links.tsx'
import { PageFrame } from '../../ui/pages/page-frame.tsx'
import { Records } from '../../ui/pages/records.tsx'
import { Loading, LoadFailed } from '../../ui/states.tsx'
import { IDLE_POLL_MS, POLL_MS, useDatasetActions } from './dataset-actions.tsx'
import { DatasetProgressBar, DatasetStatus, StoreNotice } from './dataset-parts.tsx'

export function DatasetList() {
  const t = useWords('datasets')
  const format = useFormat()
  const language = useLanguage()
  const query = useQuery({
    ...queryOf(listDatasets, {}),
    refetchInterval: ({ state }) =>
      state.data?.data.some(({ status }) => status === 'fetching') ? POLL_MS : IDLE_POLL_MS,
  })
  const actionsOf = useDatasetActions(query.data?.store)
  // Small datasets are counted for each answer; an older count shows its time.
  const answeredAt = (query.data?.data ?? []).map(({ counted_at }) => counted_at).reduce((a, b) => (a > b ? a : b), '')

  return (
    <PageFrame title={t('title')} description={t('description')}>
      {query.data && <StoreNotice store={query.data.store} />}
      <Paper withBorder style={{ overflow: 'hidden' }}>
        {query.data ? (
          <Records<Dataset>
            records={query.data.data}
            rowName={(dataset) => dataset.name[language]}
            rowTo={(dataset) => paths.dataset(dataset.id)}
            rowActions={(dataset) => {
              const { refetch, check, csv } = actionsOf(dataset)
              return [{ label: t('details'), to: paths.dataset(dataset.id) }, refetch, check, csv]
            }}
            columns={[
              {
                accessor: 'name',
                title: t('name'),
                render: (dataset) => (
                  <Stack gap={6}>
                    <TextLink to={paths.dataset(dataset.id)}>{dataset.name[language]}</TextLink>
                    <DatasetProgressBar dataset={dataset} />
                  </Stack>
                ),
              },
              {
                accessor: 'status',
                title: t('status.label'),
                width: 150,
                render: (dataset) => <DatasetStatus dataset={dataset} />,
              },
              {
                accessor: 'count',
                title: t('count'),
                width: 120,
                textAlign: 'right',
                render: (dataset) => (
                  <>
                    {format.number(dataset.count)}
                    {dataset.counted_at < answeredAt && (
                      <Text size="xs" c="dimmed">
                        {t('countedAt', { time: format.time(dataset.counted_at) })}
                      </Text>
                    )}
                  </>
                ),
              },
              {
                accessor: 'last_fetched_at',
                title: t('lastFetched'),
                width: 170,
                // The status says that it was never fetched.
                render: ({ last_fetched_at }) => (last_fetched_at ? format.dateTime(last_fetched_at) : '—'),
              },
              {
                accessor: 'last_checked_at',
                title: t('lastChecked'),
                width: 150,
                phone: 'hide',
                render: ({ last_checked_at }) => (last_checked_at ? format.relative(last_checked_at) : '—'),
              },
              {
                accessor: 'last_difference',
                title: t('lastDifference'),
                width: 200,
                render: ({ last_difference, last_checked_at }) =>
                  last_difference ? (
                    t('difference', {
                      count: last_difference.count,
                      total: format.number(last_difference.count),
                      time: format.dateTime(last_difference.at),
                    })
                  ) : (
                    <Text span inherit c="dimmed">
                      {last_checked_at ? t('noDifference') : '—'}
                    </Text>
                  ),
              },
            ]}
          />
        ) : query.error ? (
          <LoadFailed error={query.error} retry={() => void query.refetch()} />
        ) : (
          <Paper p="lg" mih={420}>
            <Loading lines={9} />
          </Paper>
        )}
      </Paper>
    </PageFrame>
  )
}

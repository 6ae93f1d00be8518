import { Text } from '@mantine/core'
import { type Dataset, type DatasetCheck, DatasetId } from '@okaeri/contract/datasets/dataset'
import { getDataset } from '@okaeri/contract/datasets/routes'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { NotFound } from '../../app/error-pages.tsx'
import { queryOf } from '../../api/queries.ts'
import { useFormat } from '../../app/format.ts'
import { useLanguage, useWords } from '../../app/i18n.ts'
import { paths } from '../../app/paths.ts'
import { Card, DetailPage, Facts } from '../../ui/pages/detail-page.tsx'
import { TextLink } from '../../ui/links.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Records } from '../../ui/pages/records.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { IDLE_POLL_MS, POLL_MS, useDatasetActions } from './dataset-actions.tsx'
import { DatasetProgressBar, DatasetStatus, DifferenceKinds, FetchError, StoreNotice } from './dataset-parts.tsx'

const checkTones = { running: 'progress', done: 'success', failed: 'danger' } as const

/** One dataset; an unknown one shows the page "not found". */
export function DatasetPage() {
  const { id }: { id?: string } = useParams({ strict: false })
  const known = DatasetId.safeParse(id)
  return known.success ? <Known id={known.data} /> : <NotFound />
}

function Known({ id }: { id: DatasetId }) {
  const t = useWords('datasets')
  const language = useLanguage()
  const query = useQuery({
    ...queryOf(getDataset, { params: { id } }),
    refetchInterval: ({ state }) =>
      state.data?.dataset.status === 'fetching' || state.data?.checks.some(({ status }) => status === 'running')
        ? POLL_MS
        : IDLE_POLL_MS,
  })
  const dataset = query.data?.dataset
  const actions = useDatasetActions(query.data?.store)
  const may = dataset && actions(dataset)
  return (
    <DetailPage
      back={{ to: paths.data(), label: t('title') }}
      title={dataset?.name[language] ?? t('title')}
      badge={dataset && <DatasetStatus dataset={dataset} />}
      query={query}
      actions={may ? [may.refetch, may.check, may.csv] : []}
      notice={
        dataset && (
          <>
            {query.data && <StoreNotice store={query.data.store} />}
            {dataset.error && (
              <Notice tone="danger" title={t('failedTitle')}>
                <FetchError error={dataset.error} />
              </Notice>
            )}
          </>
        )
      }
      history={query.data && <Checks checks={query.data.checks} />}
    >
      {dataset && (
        <>
          <Overview dataset={dataset} />
          <Repaired dataset={dataset} />
        </>
      )}
    </DetailPage>
  )
}

/** The lists that show the fetched data. */
const lists: Partial<Record<DatasetId, string>> = {
  customers: paths.customers(),
  segments: paths.segments(),
  metafields: paths.metafields(),
}

function Overview({ dataset }: { dataset: Dataset }) {
  const list = lists[dataset.id]
  const t = useWords('datasets')
  const format = useFormat()
  return (
    <Card title={t('overview')}>
      <DatasetProgressBar dataset={dataset} />
      <Facts
        items={[
          {
            label: t('count'),
            value: (
              <>
                <Text span fw={700} size="lg" className="numbers">
                  {t('countOf', { count: dataset.count, total: format.number(dataset.count) })}
                </Text>
                <Text size="xs" c="dimmed">
                  {t('countedAt', { time: format.dateTime(dataset.counted_at) })}
                </Text>
              </>
            ),
          },
          {
            label: t('lastFetched'),
            value: dataset.last_fetched_at ? format.dateTime(dataset.last_fetched_at) : t('notFetched'),
          },
        ]}
      />
      {list && <TextLink to={list}>{t('openList')}</TextLink>}
    </Card>
  )
}

function Repaired({ dataset }: { dataset: Dataset }) {
  const t = useWords('datasets')
  const format = useFormat()
  const { last_checked_at, last_difference } = dataset
  return (
    <Card title={t('repaired')}>
      <Facts
        items={[
          { label: t('lastChecked'), value: last_checked_at ? format.dateTime(last_checked_at) : t('never') },
          {
            label: t('lastDifference'),
            value: last_difference ? (
              <>
                {t('differenceAt', {
                  count: last_difference.count,
                  time: format.dateTime(last_difference.at),
                  total: format.number(last_difference.count),
                })}
                <DifferenceKinds kinds={last_difference.kinds} />
              </>
            ) : last_checked_at ? (
              t('noDifference')
            ) : (
              t('never')
            ),
          },
        ]}
      />
      <Text size="sm" c="dimmed">
        {t('repairedHelp')}
      </Text>
    </Card>
  )
}

function Checks({ checks }: { checks: readonly DatasetCheck[] }) {
  const t = useWords('datasets')
  const format = useFormat()
  return (
    <Card title={t('checks')}>
      {checks.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('noChecks')}
        </Text>
      ) : (
        <Records<DatasetCheck>
          dense
          records={checks}
          rowName={(check) => format.dateTime(check.started_at)}
          columns={[
            {
              accessor: 'started_at',
              title: t('started'),
              width: 170,
              render: (check) => format.dateTime(check.started_at),
            },
            { accessor: 'kind', title: t('checkWhat'), width: 170, render: (check) => t(`checkKind.${check.kind}`) },
            {
              accessor: 'status',
              title: t('status.label'),
              width: 130,
              render: (check) => (
                <StatusBadge tone={checkTones[check.status]}>{t(`checkStatus.${check.status}`)}</StatusBadge>
              ),
            },
            {
              accessor: 'checked_count',
              title: t('checkedCount'),
              width: 130,
              textAlign: 'right',
              phone: 'hide',
              render: (check) => format.number(check.checked_count),
            },
            {
              accessor: 'repaired_count',
              title: t('repairedCount'),
              width: 120,
              textAlign: 'right',
              render: (check) => format.number(check.repaired_count),
            },
            {
              accessor: 'kinds',
              title: t('found'),
              render: (check) => (check.kinds.length === 0 ? t('none') : <DifferenceKinds kinds={check.kinds} />),
            },
          ]}
        />
      )}
    </Card>
  )
}

import { Group } from '@mantine/core'
import { listSegments } from '@okaeri/contract/segments/routes'
import type { Segment } from '@okaeri/contract/segments/segment'
import { IconFilter } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { queryOf } from '../../api/queries.ts'
import { useFormat } from '../../app/format.ts'
import { useWords } from '../../app/i18n.ts'
import { useMerchant } from '../../app/merchant.tsx'
import { paths } from '../../app/paths.ts'
import { TextLink } from '../../ui/links.tsx'
import { ListPage } from '../../ui/pages/list-page.tsx'
import { useListState } from '../../ui/pages/list-state.ts'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { SegmentSearch } from './search.ts'
import { useSegmentRemoval } from './segment-removal.ts'
import { Freshness, SegmentStatus } from './segment-status.tsx'
import { RemoteNotice, RemoteResync } from './remote-list.tsx'

/** Refresh interval while a segment is being counted. */
const POLL_MS = 2000
const IDLE_POLL_MS = 30_000

export function SegmentList() {
  const t = useWords('segments')
  const format = useFormat()
  const list = useListState(SegmentSearch)
  const { mayChange } = useMerchant()
  const query = useQuery({
    ...queryOf(listSegments, {
      query: { ...list.query, ...(list.search.origin && { origin: list.search.origin }) },
    }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      state.data?.data.some(({ status }) => status === 'calculating') ? POLL_MS : IDLE_POLL_MS,
  })
  const remove = useSegmentRemoval()
  const forbidden = !mayChange && t('viewerMayNot')

  return (
    <ListPage<Segment>
      title={t('title')}
      description={t('description')}
      {...(mayChange && { create: { label: t('add'), to: paths.segmentNew() } })}
      list={list}
      query={query}
      searchPlaceholder={t('search')}
      tabs={{
        param: 'origin',
        label: t('origin'),
        items: [
          { value: 'own', label: t('tabs.own') },
          { value: 'remote', label: t('tabs.remote') },
        ],
      }}
      headerActions={list.search.origin === 'remote' && <RemoteResync />}
      notice={list.search.origin === 'remote' && <RemoteNotice />}
      columns={[
        {
          accessor: 'name',
          title: t('name'),
          sortable: true,
          render: (segment) => (
            <Group gap="xs">
              <TextLink to={paths.segment(segment.id)}>{segment.name}</TextLink>
              {segment.origin === 'remote' && (
                <span title={t('remoteHint')}>
                  <StatusBadge tone="info">{t('remote')}</StatusBadge>
                </span>
              )}
            </Group>
          ),
        },
        {
          accessor: 'status',
          title: t('status.label'),
          width: 140,
          render: (segment) => <SegmentStatus segment={segment} />,
        },
        {
          accessor: 'customer_count',
          title: t('customers'),
          sortable: true,
          width: 130,
          textAlign: 'right',
          render: (segment) => (segment.customer_count === null ? '—' : format.number(segment.customer_count)),
        },
        {
          accessor: 'customer_percentage',
          title: t('percentage'),
          width: 100,
          textAlign: 'right',
          render: (segment) =>
            segment.customer_percentage === null
              ? '—'
              : format.share(segment.customer_count ?? 0, segment.customer_percentage),
        },
        {
          accessor: 'members_at',
          title: t('freshness'),
          width: 200,
          render: (segment) => <Freshness segment={segment} />,
        },
        {
          accessor: 'created_at',
          phone: 'hide',
          title: t('createdAt'),
          sortable: true,
          width: 130,
          render: (segment) => format.date(segment.created_at),
        },
      ]}
      rowName={(segment) => segment.name}
      rowTo={(segment) => paths.segment(segment.id)}
      rowActions={(segment) => [
        { label: t('details'), to: paths.segment(segment.id) },
        {
          label: t('edit'),
          to: paths.segmentEdit(segment.id),
          disabledReason: forbidden || (segment.origin === 'remote' && t('remoteReadonly')),
        },
        {
          label: t('delete'),
          danger: true,
          disabledReason: forbidden || (segment.origin === 'remote' && t('remoteReadonly')),
          onClick: () => remove(segment),
        },
      ]}
      empty={{ icon: IconFilter, title: t('empty.title'), text: t('empty.text') }}
    />
  )
}

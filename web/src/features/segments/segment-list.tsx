import { deleteSegment, listSegments } from '@okaeri/contract/segments/routes'
import type { Segment } from '@okaeri/contract/segments/segment'
import { IconFilter } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { queryOf } from '../../api/queries.ts'
import { useFormat } from '../../app/format.ts'
import { useWords } from '../../app/i18n.ts'
import { paths } from '../../app/paths.ts'
import { confirmDelete } from '../../ui/confirm.tsx'
import { TextLink } from '../../ui/links.tsx'
import { ListPage } from '../../ui/list-page.tsx'
import { useListState } from '../../ui/list-state.ts'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { useAction } from '../../ui/use-action.ts'
import { SegmentSearch } from './routes.tsx'

const tones = { calculating: 'progress', ready: 'success', failed: 'danger' } as const

export function SegmentList() {
  const t = useWords('segments')
  const format = useFormat()
  const list = useListState(SegmentSearch)
  const query = useQuery({ ...queryOf(listSegments, { query: list.query }), placeholderData: keepPreviousData })
  const remove = useAction(deleteSegment, { done: 'deleted' })

  const askAndRemove = async (segment: Segment) => {
    if (await confirmDelete(t('deleteAsk', { name: segment.name }))) remove.mutate({ params: { id: segment.id } })
  }

  return (
    <ListPage<Segment>
      title={t('title')}
      description={t('description')}
      create={{ label: t('add'), to: paths.segmentNew() }}
      list={list}
      query={query}
      searchPlaceholder={t('search')}
      columns={[
        {
          accessor: 'name',
          title: t('name'),
          sortable: true,
          render: (segment) => <TextLink to={paths.segment(segment.id)}>{segment.name}</TextLink>,
        },
        {
          accessor: 'status',
          title: t('status.label'),
          width: 140,
          render: (segment) => <StatusBadge tone={tones[segment.status]}>{t(`status.${segment.status}`)}</StatusBadge>,
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
            segment.customer_percentage === null ? '—' : format.percent(segment.customer_percentage),
        },
        {
          accessor: 'created_at',
          title: t('createdAt'),
          sortable: true,
          width: 180,
          render: (segment) => format.dateTime(segment.created_at),
        },
      ]}
      rowName={(segment) => segment.name}
      rowTo={(segment) => paths.segment(segment.id)}
      rowActions={(segment) => [
        { label: t('details'), to: paths.segment(segment.id) },
        {
          label: t('edit'),
          to: paths.segmentEdit(segment.id),
          disabledReason: segment.origin === 'remote' && t('remoteReadonly'),
        },
        { label: t('delete'), danger: true, onClick: () => void askAndRemove(segment) },
      ]}
      empty={{ icon: IconFilter, title: t('empty.title'), text: t('empty.text') }}
    />
  )
}

import { Group, Paper, Text, TextInput, Title } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { listSegmentCustomers } from '@okaeri/contract/segments/routes'
import type { Segment, SegmentMember } from '@okaeri/contract/segments/segment'
import { IconSearch } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { useFormat } from '../../app/format.ts'
import { useWords } from '../../app/i18n.ts'
import { paths } from '../../app/paths.ts'
import { EmailAddress } from '../../ui/email-address.tsx'
import { ButtonLink, TextLink } from '../../ui/links.tsx'
import { pagingOf } from '../../ui/pages/list-page.tsx'
import { useListState } from '../../ui/pages/list-state.ts'
import { type Column, Records } from '../../ui/pages/records.tsx'
import { LoadFailed, Loading } from '../../ui/states.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { MarketingBadge, NotificationBadge } from '../customers/permission-badges.tsx'
import { SegmentCustomerSearch } from './search.ts'

const SEARCH_DELAY_MS = 250

/** The customers in the segment now. */
export function SegmentCustomers({ segment }: { segment: Segment }) {
  const t = useWords('segments')
  const ui = useWords('ui')
  const columns = useColumns()
  const list = useListState(SegmentCustomerSearch)
  const { limit, offset, q, cursor } = list.query
  const input = {
    params: { id: segment.id },
    query: { limit, ...(q && { q }), ...(cursor ? { cursor } : { offset }) },
  }
  const query = useQuery({
    // Loaded again when the count above changes.
    queryKey: [listSegmentCustomers.area, listSegmentCustomers.path, input, segment.customer_count],
    queryFn: ({ signal }) => call(listSegmentCustomers, { ...input, signal }),
    placeholderData: keepPreviousData,
  })
  const [typed, setTyped] = useState(list.q)
  const search = useDebouncedCallback((text: string) => list.set({ q: text }), SEARCH_DELAY_MS)

  return (
    <Paper withBorder component="section" aria-label={t('table.title')}>
      <Group justify="space-between" p="lg" pb="sm" gap="sm">
        <Title order={2} size="h4">
          {t('table.title')}
        </Title>
        <TextInput
          type="search"
          w={{ base: '100%', xs: 320 }}
          aria-label={t('table.search')}
          placeholder={t('table.search')}
          leftSection={<IconSearch size={16} aria-hidden />}
          value={typed}
          onChange={(event) => {
            setTyped(event.currentTarget.value)
            search(event.currentTarget.value)
          }}
        />
      </Group>
      {!query.data ? (
        query.error ? (
          <LoadFailed error={query.error} retry={() => void query.refetch()} />
        ) : (
          <Paper p="lg" mih={260}>
            <Loading lines={6} />
          </Paper>
        )
      ) : query.data.total === 0 ? (
        <Text size="sm" c="dimmed" p="lg" pt={0}>
          {segment.customer_count === null ? t('table.notYet') : list.q ? ui('list.noMatch') : t('table.empty')}
        </Text>
      ) : (
        <Records<SegmentMember>
          records={query.data.data}
          columns={columns}
          rowName={(customer) => customer.name || customer.email || t('table.noName')}
          refreshing={query.isPlaceholderData}
          paging={pagingOf(list, query.data)}
        />
      )}
    </Paper>
  )
}

function useColumns(): Column<SegmentMember>[] {
  const t = useWords('segments')
  const format = useFormat()
  return [
    {
      accessor: 'name',
      title: t('name'),
      cellsStyle: () => ({ minWidth: 190 }),
      render: (customer) => (
        <>
          <TextLink to={paths.customer(customer.id)}>{customer.name || t('table.noName')}</TextLink>
          {customer.email && <EmailAddress address={customer.email} />}
        </>
      ),
    },
    {
      accessor: 'marketing_state',
      title: t('table.marketing'),
      width: 158,
      render: (customer) => <MarketingBadge customer={customer} />,
    },
    {
      accessor: 'accepts_transactions',
      title: t('table.notification'),
      width: 158,
      phone: 'hide',
      render: (customer) => <NotificationBadge customer={customer} />,
    },
    {
      accessor: 'email_sent_count',
      title: t('table.sent'),
      width: 126,
      textAlign: 'right',
      render: (customer) => format.number(customer.email_sent_count),
    },
    {
      accessor: 'total_revenue',
      title: t('table.sales'),
      width: 132,
      textAlign: 'right',
      render: (customer) => format.money(customer.total_revenue),
    },
    {
      accessor: 'suppressed',
      title: t('table.confirm'),
      width: 142,
      render: (customer) => <MayMail customer={customer} />,
    },
    {
      accessor: 'id',
      title: <span className="for-screen-readers">{t('details')}</span>,
      width: 98,
      phone: 'hide',
      sticky: true,
      textAlign: 'right',
      render: (customer) => (
        <ButtonLink to={paths.customer(customer.id)} size="compact-sm" variant="default">
          {t('details')}
        </ButtonLink>
      ),
    },
  ]
}

/** Whether a marketing mail would be sent now; if not, the first reason. */
function MayMail({ customer }: { customer: SegmentMember }) {
  const t = useWords('segments')
  if (customer.email === null) return <StatusBadge tone="neutral">{t('table.noAddress')}</StatusBadge>
  if (customer.suppressed) return <StatusBadge tone="danger">{t('table.suppressed')}</StatusBadge>
  if (!customer.accepts_marketing) return <StatusBadge tone="neutral">{t('table.noConsent')}</StatusBadge>
  return <StatusBadge tone="success">{t('table.canMail')}</StatusBadge>
}

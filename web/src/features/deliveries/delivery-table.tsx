import { Group, Text } from '@mantine/core'
import type { DeliveryView } from '@okaeri/contract/deliveries/delivery'
import type { Page } from '@okaeri/contract/paging'
import type { UseQueryResult } from '@tanstack/react-query'
import { useFormat } from '../../app/format.ts'
import { useWords } from '../../app/i18n.ts'
import { paths } from '../../app/paths.ts'
import { TextLink } from '../../ui/links.tsx'
import { type Column, Records } from '../../ui/records.tsx'
import { Loading, LoadFailed } from '../../ui/states.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { deliveryTones, useReasonText } from './delivery-words.ts'

type ColumnName = 'person' | 'campaign' | 'status' | 'reason' | 'sent_at' | 'reaction'

interface DeliveryTableProps {
  query: UseQueryResult<Page<DeliveryView>>
  columns: readonly ColumnName[]
  page: number
  size: number
  onPage: (page: number) => void
  onSize: (size: number) => void
  /** More are not counted one by one. */
  countedTo?: number
  /** Said when there are no rows because of a filter. */
  narrowed?: boolean
}

/** What the mail server answered begins with its code; other details are notes in English for who runs the installation. */
const isServersAnswer = (detail: string): boolean => /^\d{3}\b/.test(detail)

/** Messages, one per person, each with its state and reason in words. */
export function DeliveryTable({ query, columns, page, size, onPage, onSize, countedTo, narrowed }: DeliveryTableProps) {
  const t = useWords('deliveries')
  const format = useFormat()
  const reasonText = useReasonText()
  const { data } = query
  if (!data) {
    return query.error ? <LoadFailed error={query.error} retry={() => void query.refetch()} /> : <Loading lines={5} />
  }
  if (data.total === 0) {
    return (
      <Text c="dimmed" size="sm" py="md">
        {narrowed ? t('noMatch') : t('empty')}
      </Text>
    )
  }

  const all: Record<ColumnName, Column<DeliveryView>> = {
    person: {
      accessor: 'customer_name',
      title: t('person'),
      width: 210,
      render: (row) => (
        <>
          {row.customer_id ? (
            <TextLink to={paths.customer(row.customer_id)}>{row.customer_name || row.recipient || '—'}</TextLink>
          ) : (
            (row.customer_name ?? (row.kind === 'test' ? '—' : t('unknownPerson')))
          )}
          {row.recipient && (
            <Text size="xs" c="dimmed">
              {row.recipient}
            </Text>
          )}
        </>
      ),
    },
    campaign: {
      accessor: 'campaign_name',
      title: t('kindLabel'),
      width: 160,
      render: (row) => (
        <>
          {row.campaign_id ? (
            <TextLink to={paths.campaign(row.campaign_id)}>{row.campaign_name}</TextLink>
          ) : row.scenario_id && row.scenario_name ? (
            <TextLink to={paths.scenario(row.scenario_id)}>{row.scenario_name}</TextLink>
          ) : (
            t(`kind.${row.kind}`)
          )}
        </>
      ),
    },
    status: {
      accessor: 'status',
      title: t('statusLabel'),
      width: 150,
      render: (row) => (
        <Group gap={6}>
          <StatusBadge tone={deliveryTones[row.status]}>{t(`status.${row.status}`)}</StatusBadge>
          {row.test_mode && <StatusBadge tone="warning">{t('test')}</StatusBadge>}
        </Group>
      ),
    },
    reason: {
      accessor: 'reason',
      title: t('reason'),
      width: 220,
      render: (row) => (
        <>
          {reasonText(row) ?? (row.status === 'uncertain' ? t('cutOff') : '—')}
          {row.detail && isServersAnswer(row.detail) && row.status !== 'sent' && (
            <Text size="xs" c="dimmed" className="numbers">
              {row.detail}
            </Text>
          )}
        </>
      ),
    },
    sent_at: {
      accessor: 'sent_at',
      title: t('sentAt'),
      width: 160,
      render: (row) => (row.sent_at ? format.dateTime(row.sent_at) : '—'),
    },
    reaction: {
      accessor: 'opened_at',
      title: t('reaction'),
      width: 220,
      render: (row) => {
        const facts = [
          row.bounced_at && `${t('bounced')} ${format.dateTime(row.bounced_at)}`,
          row.clicked_at && `${t('clicked')} ${format.dateTime(row.clicked_at)}`,
          row.opened_at && `${t('opened')} ${format.dateTime(row.opened_at)}`,
        ].filter((fact) => typeof fact === 'string')
        return facts.length === 0 ? '—' : facts.map((fact) => <div key={fact}>{fact}</div>)
      },
    },
  }

  return (
    <Records<DeliveryView>
      records={data.data}
      columns={columns.map((name) => all[name])}
      rowName={(row) => row.customer_name || row.recipient || '—'}
      refreshing={query.isPlaceholderData}
      paging={{ page, size, total: data.total, onPage, onSize, ...(countedTo !== undefined && { countedTo }) }}
      dense
    />
  )
}

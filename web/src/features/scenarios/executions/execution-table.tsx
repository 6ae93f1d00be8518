import { Text } from '@mantine/core'
import type { Page } from '@okaeri/contract/paging'
import type { Execution } from '@okaeri/contract/scenarios/execution'
import { EXECUTIONS_COUNTED_TO } from '@okaeri/contract/scenarios/scenario'
import type { UseQueryResult } from '@tanstack/react-query'
import { useFormat } from '../../../app/format.ts'
import { useLanguage, useWords } from '../../../app/i18n.ts'
import { useMerchant } from '../../../app/merchant.tsx'
import { paths } from '../../../app/paths.ts'
import { EmailAddress } from '../../../ui/email-address.tsx'
import { TextLink } from '../../../ui/links.tsx'
import { type Column, Records } from '../../../ui/pages/records.tsx'
import { Loading, LoadFailed } from '../../../ui/states.tsx'
import { useExecutionActions } from './execution-actions.tsx'
import { ExecutionBadge } from './execution-badge.tsx'
import { eventName, isAsleep, stepTitle, subjectText } from './execution-words.ts'

type ColumnName = 'customer' | 'scenario' | 'event' | 'status' | 'sent' | 'next' | 'created_at'

interface ExecutionTableProps {
  query: UseQueryResult<Page<Execution>>
  columns: readonly ColumnName[]
  empty: string
  paging?: { page: number; size: number; onPage: (page: number) => void; onSize: (size: number) => void }
}

/** The name of an execution's customer or guest. */
export function usePersonName(): (execution: Pick<Execution, 'customer' | 'guest_id'>) => string {
  const t = useWords('scenarios')
  return ({ customer, guest_id }) =>
    customer ? customer.name || customer.email || t('history.gone') : guest_id ? t('history.guest') : t('history.gone')
}

/** The name of a mail, shortened. */
const Named = ({ name }: { name: string | null }) => (
  <Text size="sm" lineClamp={2} {...(name && { title: name })}>
    {name ?? '—'}
  </Text>
)

/** Executions, each with its node, the last mail and the next one. */
export function ExecutionTable({ query, columns, empty, paging }: ExecutionTableProps) {
  const t = useWords('scenarios')
  const format = useFormat()
  const language = useLanguage()
  const person = usePersonName()
  const actionsOf = useExecutionActions()
  const { mayChange } = useMerchant()
  const { data } = query
  if (!data)
    return query.error ? <LoadFailed error={query.error} retry={() => void query.refetch()} /> : <Loading lines={5} />
  if (data.total === 0)
    return (
      <Text c="dimmed" size="sm" py="md">
        {empty}
      </Text>
    )

  const all: Record<ColumnName, Column<Execution>> = {
    customer: {
      accessor: 'customer',
      title: t('history.customer'),
      cellsStyle: () => ({ minWidth: 160 }),
      render: (row) => (
        <>
          <TextLink to={paths.execution(row.id)}>{person(row)}</TextLink>
          {row.customer?.email && row.customer.name && <EmailAddress address={row.customer.email} />}
        </>
      ),
    },
    scenario: {
      accessor: 'scenario',
      title: t('execution.scenario'),
      cellsStyle: () => ({ minWidth: 180 }),
      render: (row) => <TextLink to={paths.execution(row.id)}>{row.scenario.name}</TextLink>,
    },
    event: {
      accessor: 'event',
      title: t('history.event'),
      width: 150,
      render: ({ event }) =>
        event ? (
          <>
            {eventName(event.kind, language)}
            {subjectText(event.subject) && (
              <Text size="xs" c="dimmed" lineClamp={1}>
                {subjectText(event.subject)}
              </Text>
            )}
          </>
        ) : (
          '—'
        ),
    },
    status: {
      accessor: 'status',
      title: t('history.status'),
      width: 185,
      render: (row) => (
        <>
          <ExecutionBadge execution={row} />
          <Text size="xs" c={row.status === 'failed' ? 'var(--mantine-color-error)' : 'dimmed'} mt={2} lineClamp={2}>
            {row.status === 'failed' && row.last_error
              ? t(`execution.error.${row.last_error.error}`)
              : row.end_reason
                ? t(`execution.end.${row.end_reason}`)
                : row.node && stepTitle(row.node, language)}
          </Text>
        </>
      ),
    },
    sent: {
      accessor: 'sent_content',
      title: t('history.sent'),
      width: 120,
      phone: 'hide',
      render: (row) => <Named name={row.sent_content} />,
    },
    next: {
      accessor: 'next_content',
      title: t('history.next'),
      width: 180,
      render: (row) => (
        <>
          <Named name={row.next_content} />
          {row.wake_at && isAsleep(row) && (
            <Text size="xs" c="dimmed">
              {t('history.wakes', { time: format.dateTime(row.wake_at) })}
            </Text>
          )}
        </>
      ),
    },
    created_at: {
      accessor: 'created_at',
      title: t('history.startedAt'),
      width: 150,
      render: (row) => format.dateTime(row.created_at),
    },
  }
  return (
    <Records<Execution>
      records={data.data}
      columns={columns.map((name) => all[name])}
      rowName={(row) => t('history.rowName', { name: person(row) })}
      rowTo={(row) => paths.execution(row.id)}
      rowActions={(row) => {
        const details = { label: t('execution.do.details'), to: paths.execution(row.id) }
        if (!mayChange) return [details]
        const { pause, play, restart, resolve, delete: remove } = actionsOf(row)
        return [details, ...[pause, play, resolve].filter((action) => !action.disabledReason), restart, remove]
      }}
      refreshing={query.isPlaceholderData}
      {...(paging && { paging: { ...paging, total: data.total, countedTo: EXECUTIONS_COUNTED_TO } })}
      dense
    />
  )
}

import { Text } from '@mantine/core'
import { type FailedEntry, listFailedEntries } from '@okaeri/contract/scenarios/entering-routes'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { queryOf } from '../../../api/queries.ts'
import { useFormat } from '../../../app/format.ts'
import { useLanguage, useWords } from '../../../app/i18n.ts'
import { paths } from '../../../app/paths.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { TextLink } from '../../../ui/links.tsx'
import { usePages } from '../../../ui/pages/pages.ts'
import { Records } from '../../../ui/pages/records.tsx'
import { Loading, LoadFailed } from '../../../ui/states.tsx'
import { eventName, subjectText } from './execution-words.ts'

interface FailedEntriesProps {
  scenarioId: string
  opened: boolean
  onClose: () => void
}

/** Customers whose entry failed, with the event. */
export function FailedEntries({ scenarioId, opened, onClose }: FailedEntriesProps) {
  const t = useWords('scenarios')
  return (
    <Dialog opened={opened} onClose={onClose} title={t('failedEntries.who')} size="xl">
      <Entries scenarioId={scenarioId} />
    </Dialog>
  )
}

function Entries({ scenarioId }: { scenarioId: string }) {
  const t = useWords('scenarios')
  const format = useFormat()
  const language = useLanguage()
  const pages = usePages()
  const query = useQuery({
    ...queryOf(listFailedEntries, {
      params: { id: scenarioId },
      query: pages.query,
    }),
    placeholderData: keepPreviousData,
  })
  const nameOf = ({ customer_name, customer_id, guest_id }: FailedEntry): string =>
    customer_name || t(customer_id === null && guest_id !== null ? 'history.guest' : 'history.gone')
  if (!query.data)
    return query.error ? <LoadFailed error={query.error} retry={() => void query.refetch()} /> : <Loading lines={5} />
  return (
    <Records<FailedEntry>
      records={query.data.data}
      columns={[
        {
          accessor: 'customer_name',
          title: t('history.customer'),
          phone: 'title',
          render: (row) =>
            row.customer_id ? <TextLink to={paths.customer(row.customer_id)}>{nameOf(row)}</TextLink> : nameOf(row),
        },
        {
          accessor: 'kind',
          title: t('history.event'),
          render: ({ kind, subject, occurred_at }) => (
            <>
              {eventName(kind, language)}
              <Text size="xs" c="dimmed">
                {[subjectText(subject), format.dateTime(occurred_at)].filter(Boolean).join(' · ')}
              </Text>
            </>
          ),
        },
        {
          accessor: 'failed_at',
          title: t('failedEntries.at'),
          width: 160,
          render: ({ failed_at }) => format.dateTime(failed_at),
        },
      ]}
      rowName={nameOf}
      refreshing={query.isPlaceholderData}
      paging={{ ...pages.paging, total: query.data.total }}
      dense
    />
  )
}

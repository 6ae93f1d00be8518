import { Text } from '@mantine/core'
import { listRestockNotices } from '@okaeri/contract/restocks/wave-routes'
import type { NoticeOutcome, RestockNotice, RestockWave } from '@okaeri/contract/restocks/waves'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { queryOf } from '../../api/queries.ts'
import { useFormat } from '../../app/format.ts'
import { useWords } from '../../app/i18n.ts'
import { paths } from '../../app/paths.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { TextLink } from '../../ui/links.tsx'
import { usePages } from '../../ui/pages/pages.ts'
import { type Column, Records } from '../../ui/pages/records.tsx'
import { LoadFailed, Loading } from '../../ui/states.tsx'
import { StatusBadge, type Tone } from '../../ui/status-badge.tsx'
import { useReasonText } from '../deliveries/delivery-words.ts'

const tones: Record<NoticeOutcome, Tone> = {
  under_way: 'progress',
  sent: 'success',
  uncertain: 'warning',
  failed: 'danger',
  skipped: 'neutral',
  refused: 'neutral',
  no_customer: 'neutral',
  withdrawn: 'neutral',
}

/** The people of one wave, in the order of registration. */
export function WavePeople({ wave, onClose }: { wave: RestockWave | null; onClose: () => void }) {
  const t = useWords('restocks')
  const format = useFormat()
  return (
    <Dialog
      opened={wave !== null}
      onClose={onClose}
      title={wave && t('waves.peopleTitle', { time: format.dateTime(wave.at) })}
      size="xl"
    >
      {wave && <People key={`${wave.return_id} ${wave.number}`} wave={wave} />}
    </Dialog>
  )
}

function People({ wave }: { wave: RestockWave }) {
  const t = useWords('restocks')
  const format = useFormat()
  const reasonText = useReasonText()
  const { query: page, paging } = usePages()
  const query = useQuery({
    ...queryOf(listRestockNotices, { params: { returnId: wave.return_id, number: String(wave.number) }, query: page }),
    placeholderData: keepPreviousData,
  })
  const nameOf = (row: RestockNotice): string => row.customer_name || row.customer_email || t('subscribers.noName')
  const columns: Column<RestockNotice>[] = [
    {
      accessor: 'customer_name',
      title: t('subscribers.name'),
      phone: 'title',
      render: (row) => (
        <>
          {row.customer_id ? <TextLink to={paths.customer(row.customer_id)}>{nameOf(row)}</TextLink> : nameOf(row)}
          {row.customer_email && row.customer_name && row.customer_name !== row.customer_email && (
            <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
              {row.customer_email}
            </Text>
          )}
        </>
      ),
    },
    {
      accessor: 'registered_at',
      title: t('subscribers.registered'),
      render: ({ registered_at: at }) => format.dateTime(at),
    },
    {
      accessor: 'outcome',
      title: t('outcome.label'),
      render: ({ outcome, reason, sent_at, bought_at }) => (
        <>
          <StatusBadge tone={tones[outcome]}>{t(`outcome.${outcome}`)}</StatusBadge>
          <Text size="xs" c="dimmed">
            {bought_at
              ? t('bought', { time: format.dateTime(bought_at) })
              : sent_at
                ? format.dateTime(sent_at)
                : outcome === 'skipped' || outcome === 'failed'
                  ? reasonText({ status: outcome, reason })
                  : null}
          </Text>
        </>
      ),
    },
  ]
  if (!query.data)
    return query.error ? <LoadFailed error={query.error} retry={() => void query.refetch()} /> : <Loading lines={4} />
  return (
    <Records<RestockNotice>
      records={query.data.data}
      columns={columns}
      rowName={nameOf}
      refreshing={query.isPlaceholderData}
      paging={{ ...paging, total: query.data.total }}
    />
  )
}

import { Stack, Text } from '@mantine/core'
import type { LineRelayCall } from '@okaeri/contract/line-relays/relay'
import { listLineRelayCalls, replayLineRelayCall } from '@okaeri/contract/line-relays/routes'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { queryOf } from '../../api/queries.ts'
import { useFormat } from '../../app/format.ts'
import { useWords } from '../../app/i18n.ts'
import { useMerchant } from '../../app/merchant.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { usePages } from '../../ui/pages/pages.ts'
import { Records } from '../../ui/pages/records.tsx'
import { Loading, LoadFailed } from '../../ui/states.tsx'
import { StatusBadge, type Tone } from '../../ui/status-badge.tsx'
import { useAction } from '../../ui/use-action.ts'

const tones: Record<LineRelayCall['state'], Tone> = { waiting: 'progress', done: 'success', failed: 'danger' }

export function RelayLog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const t = useWords('lineRelays')
  return (
    <Dialog opened={opened} onClose={onClose} title={t('log')} size="xl">
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          {t('logText')}
        </Text>
        <Calls />
      </Stack>
    </Dialog>
  )
}

/** What was answered begins with its status; else it is a note about the network, for who looks after the other system. */
function Answer({ answer }: { answer: string | null }) {
  const t = useWords('lineRelays')
  if (answer === null) return null
  const [, status, said] = /^(\d{3})\b\s*(.*)$/s.exec(answer) ?? [null, t('noAnswer'), answer]
  return (
    <>
      <Text size="sm">{status}</Text>
      {status?.startsWith('3') && <Text size="xs">{t('redirected')}</Text>}
      <Text size="xs" c="dimmed" lang="en" lineClamp={3} style={{ overflowWrap: 'anywhere' }}>
        {said}
      </Text>
    </>
  )
}

function Calls() {
  const t = useWords('lineRelays')
  const format = useFormat()
  const { member } = useMerchant()
  const pages = usePages()
  const query = useQuery({
    ...queryOf(listLineRelayCalls, { query: pages.query }),
    placeholderData: keepPreviousData,
  })
  const replay = useAction(replayLineRelayCall, { done: { message: t('replayed') } })
  if (!query.data)
    return query.error ? <LoadFailed error={query.error} retry={() => void query.refetch()} /> : <Loading lines={5} />
  if (query.data.total === 0)
    return (
      <Text size="sm" c="dimmed">
        {t('logEmpty')}
      </Text>
    )
  return (
    <Records<LineRelayCall>
      records={query.data.data}
      columns={[
        {
          accessor: 'received_at',
          title: t('receivedAt'),
          width: 160,
          phone: 'title',
          render: ({ received_at }) => format.dateTime(received_at),
        },
        {
          accessor: 'url',
          title: t('url'),
          render: ({ url }) => (
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              {url}
            </Text>
          ),
        },
        {
          accessor: 'state',
          title: t('state'),
          width: 130,
          render: ({ state }) => <StatusBadge tone={tones[state]}>{t(`states.${state}`)}</StatusBadge>,
        },
        {
          accessor: 'answer',
          title: t('answer'),
          render: ({ answer, state, next_try_at }) => (
            <>
              <Answer answer={answer} />
              {state === 'waiting' && answer !== null && next_try_at && (
                <Text size="xs" c="dimmed">
                  {t('nextTry', { time: format.dateTime(next_try_at) })}
                </Text>
              )}
            </>
          ),
        },
      ]}
      rowName={({ received_at }) => format.dateTime(received_at)}
      rowActions={({ id, state }) =>
        member.role === 'owner' && state !== 'waiting'
          ? [{ label: t('replay'), onClick: () => replay.mutate({ params: { id } }) }]
          : []
      }
      refreshing={query.isPlaceholderData}
      paging={{ ...pages.paging, total: query.data.total }}
      dense
    />
  )
}

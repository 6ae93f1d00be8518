import { Text } from '@mantine/core'
import { listReceiverPaces, type ReceiverPace } from '@okaeri/contract/receiver-paces/routes'
import { useQuery } from '@tanstack/react-query'
import { queryOf } from '../../api/queries.ts'
import { useFormat } from '../../app/format.ts'
import { useWords } from '../../app/i18n.ts'
import { Notice } from '../../ui/notice.tsx'
import { useReceiverName } from './receiver-name.ts'

const LOOK_EVERY_MS = 15_000

/** Receivers that mail waits for because they accept fewer at a time; nothing while there are none. */
export function ReceiverPaces() {
  const t = useWords('deliveries')
  // What the page is about is shown without it, so that it could not be read is said by nothing.
  const query = useQuery({ ...queryOf(listReceiverPaces, {}), refetchInterval: LOOK_EVERY_MS })
  const paces = query.data?.receiver_paces.filter(({ waiting, held_until }) => waiting > 0 || held_until !== null) ?? []
  if (paces.length === 0) return null
  return (
    <Notice tone="info" title={t('paces.title')}>
      {t('paces.intro')}
      <ul>
        {paces.slice(0, 5).map((pace) => (
          <Pace key={pace.receiver} pace={pace} />
        ))}
      </ul>
    </Notice>
  )
}

function Pace({ pace: { receiver, per_minute, held_until, waiting, answer } }: { pace: ReceiverPace }) {
  const t = useWords('deliveries')
  const format = useFormat()
  const name = useReceiverName()(receiver)
  const n = format.number(waiting)
  return (
    <li>
      {held_until
        ? t('paces.held', { name, n, time: format.time(held_until) })
        : t('paces.slow', { name, n, rate: format.number(per_minute) })}
      <Text fz="xs" c="dimmed" component="div" style={{ overflowWrap: 'anywhere' }}>
        {t('paces.answer')} <span lang="en">{answer.slice(0, 200)}</span>
      </Text>
    </li>
  )
}

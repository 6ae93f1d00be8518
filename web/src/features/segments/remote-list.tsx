import { getRemoteSegments, resyncRemoteSegments } from '@okaeri/contract/segments/routes'
import { IconRefresh } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { queryOf } from '../../api/queries.ts'
import { useFormat } from '../../app/format.ts'
import { useWords } from '../../app/i18n.ts'
import { useMerchant } from '../../app/merchant.tsx'
import { ActionButton } from '../../ui/actions.tsx'
import { Notice } from '../../ui/notice.tsx'
import { useAction } from '../../ui/use-action.ts'

const POLL_MS = 2000
const IDLE_POLL_MS = 30_000

const useRemoteSegments = () =>
  useQuery({
    ...queryOf(getRemoteSegments, {}),
    refetchInterval: ({ state }) => (state.data?.remote_segments.status === 'listing' ? POLL_MS : IDLE_POLL_MS),
  })

/** Lists the store's own segments again. */
export function RemoteResync() {
  const t = useWords('segments')
  const { mayChange } = useMerchant()
  const status = useRemoteSegments().data?.remote_segments.status
  const resync = useAction(resyncRemoteSegments, { done: { message: t('remoteList.resyncing') } })
  return (
    <ActionButton
      action={{
        label: t('remoteList.resync'),
        icon: <IconRefresh size={18} aria-hidden />,
        busy: resync.isPending || status === 'listing',
        disabledReason:
          (!mayChange && t('viewerMayNot')) || (status === 'unavailable' && t('failure.store_not_connected')),
        onClick: () => resync.mutate({ body: { force: false } }),
      }}
    />
  )
}

/** How old the list is, and why it is empty. */
export function RemoteNotice() {
  const t = useWords('segments')
  const format = useFormat()
  const { data } = useRemoteSegments()
  if (!data) return null
  const { status, failure, listed_at } = data.remote_segments
  if (status === 'failed')
    return (
      <Notice tone="warning" title={t('remoteList.failed')}>
        {failure && t(`failure.${failure}`)}
      </Notice>
    )
  if (status === 'unavailable') return <Notice>{t('remoteList.unavailable')}</Notice>
  if (status === 'listing') return <Notice>{t('remoteList.resyncing')}</Notice>
  return (
    <Notice>
      {listed_at ? t('remoteList.listedAt', { time: format.relative(listed_at) }) : t('remoteList.waiting')}{' '}
      {t('remoteReadonly')}
    </Notice>
  )
}

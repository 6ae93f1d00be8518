import { Button, Text } from '@mantine/core'
import { downloadCampaignReceivers, getCampaignReceivers } from '@okaeri/contract/deliverability/routes'
import { IconDownload } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { download } from '../../api/call.ts'
import { queryOf } from '../../api/queries.ts'
import { useLanguage, useWords } from '../../app/i18n.ts'
import { Card } from '../../ui/pages/detail-page.tsx'
import { Loading, LoadFailed } from '../../ui/states.tsx'
import { toast } from '../../ui/toast.ts'
import { Receivers } from './receivers.tsx'

/** Counting reads all of a campaign: while it is being sent, not with each look at its other figures, and a large one seldom. */
const LIVE_INTERVAL_MS = 30_000
const LIVE_INTERVAL_OF_LARGE_MS = 300_000
const LARGE = 50_000

/** A campaign's mails by who takes them. */
export function CampaignReceivers({ id, isLive }: { id: string; isLive: boolean }) {
  const t = useWords('deliverability')
  const lang = useLanguage()
  const query = useQuery({
    ...queryOf(getCampaignReceivers, { params: { id } }),
    refetchInterval: ({ state }) => {
      if (!isLive) return false
      const size = (state.data?.receivers ?? []).reduce((all, { sent, waiting }) => all + sent + waiting, 0)
      return size > LARGE ? LIVE_INTERVAL_OF_LARGE_MS : LIVE_INTERVAL_MS
    },
  })
  const save = () =>
    void download(downloadCampaignReceivers, { params: { id }, query: { lang } }, `campaign-${id}-receivers.csv`).catch(
      (error: unknown) => toast.failed(error),
    )
  const receivers = query.data?.receivers
  return (
    <Card
      title={t('byReceiver')}
      wide
      action={
        receivers &&
        receivers.length > 0 && (
          <Button size="xs" variant="default" leftSection={<IconDownload size={16} aria-hidden />} onClick={save}>
            {t('csv')}
          </Button>
        )
      }
    >
      {receivers ? (
        receivers.length > 0 ? (
          <Receivers receivers={receivers} isCampaign />
        ) : (
          <Text size="sm" c="dimmed">
            {t('none')}
          </Text>
        )
      ) : query.error ? (
        <LoadFailed error={query.error} retry={() => void query.refetch()} />
      ) : (
        <Loading lines={4} />
      )}
    </Card>
  )
}

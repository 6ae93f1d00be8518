import { Group, Progress, Stack, Text } from '@mantine/core'
import { getLineQuota, type LineQuota, resumeLine } from '@okaeri/contract/line-quota/routes'
import { IconPlayerPlay } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { queryOf } from '../../api/queries.ts'
import { useFormat } from '../../app/format.ts'
import { useWords } from '../../app/i18n.ts'
import { useMerchant } from '../../app/merchant.tsx'
import { ActionButton } from '../../ui/actions.tsx'
import { Card, Facts } from '../../ui/pages/detail-page.tsx'
import { Notice } from '../../ui/notice.tsx'
import { LoadFailed, Loading } from '../../ui/states.tsx'
import { useAction } from '../../ui/use-action.ts'

/** On the dashboard; nothing where no channel is connected. */
export function LineQuotaCard() {
  const t = useWords('lineAccounts')
  const query = useQuery(queryOf(getLineQuota, {}))
  if (!query.data?.line_quota && !query.error) return null
  return (
    <Card title={t('quota.title')}>
      <LineQuotaFigures />
    </Card>
  )
}

/** The LINE messages of the month: used, reserved, left and expected. Nothing where no channel is connected. */
export function LineQuotaFigures() {
  const query = useQuery(queryOf(getLineQuota, {}))
  if (query.error) return <LoadFailed error={query.error} retry={() => void query.refetch()} />
  if (!query.data) return <Loading lines={3} />
  const quota = query.data.line_quota
  return quota && <Figures quota={quota} />
}

function Figures({ quota }: { quota: LineQuota }) {
  const t = useWords('lineAccounts')
  const format = useFormat()
  const { limit, used, reserved, left, forecast, ends_at, paused } = quota
  const share = (count: number) => (limit ? Math.min(100, (count / limit) * 100) : 0)
  return (
    <Stack gap="sm">
      <Text fw={700} fz="lg">
        {limit === null || left === null
          ? t('quota.unlimited')
          : t('quota.left', { left: format.number(left), limit: format.number(limit) })}
      </Text>
      {limit !== null && (
        <Progress.Root size="lg" aria-hidden>
          <Progress.Section value={share(used)} color="teal" />
          <Progress.Section value={share(reserved)} color="blue" />
        </Progress.Root>
      )}
      <Facts
        items={[
          { label: t('quota.used'), value: format.number(used) },
          { label: t('quota.reserved'), value: format.number(reserved) },
          { label: t('quota.forecast'), value: format.number(forecast) },
          { label: t('quota.endsAt'), value: format.dateTime(ends_at) },
        ]}
      />
      <Text size="xs" c="dimmed">
        {t('quota.forecastHow')}
      </Text>
      {paused ? (
        <Paused />
      ) : (
        limit !== null &&
        (used >= limit || forecast > limit) && (
          <Notice tone="warning">{t(used >= limit ? 'quota.reached' : 'quota.short')}</Notice>
        )
      )}
    </Stack>
  )
}

function Paused() {
  const t = useWords('lineAccounts')
  const { mayChange } = useMerchant()
  const resume = useAction(resumeLine, { done: { message: t('quota.resumed') }, areas: ['line', 'campaigns'] })
  return (
    <Notice tone="warning" title={t('quota.pausedTitle')}>
      <Stack gap="xs" align="flex-start">
        {t('quota.pausedText')}
        <Group>
          <ActionButton
            action={{
              label: t('quota.resume'),
              icon: <IconPlayerPlay size={16} aria-hidden />,
              busy: resume.isPending,
              disabledReason: !mayChange && t('quota.readOnly'),
              onClick: () => resume.mutate({}),
            }}
          />
        </Group>
      </Stack>
    </Notice>
  )
}

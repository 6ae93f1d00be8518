import { Group, Stack, Text } from '@mantine/core'
import { type Campaign, goesBy } from '@okaeri/contract/campaigns/campaign'
import { listCampaigns } from '@okaeri/contract/campaigns/routes'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { queryOf } from '../../api/queries.ts'
import { useFormat } from '../../app/format.ts'
import { useWords } from '../../app/i18n.ts'
import { useMerchant } from '../../app/merchant.tsx'
import { paths } from '../../app/paths.ts'
import { Card } from '../../ui/pages/detail-page.tsx'
import { ButtonLink, TextLink } from '../../ui/links.tsx'
import { Progress } from '../../ui/progress.tsx'
import { Loading, LoadFailed } from '../../ui/states.tsx'
import { CampaignBadge, followInterval, TestBadge } from '../campaigns/campaign-badge.tsx'
import classes from './dashboard.module.css'

const SHOWN = 5
const TESTS_SHOWN = 3

/** The newest campaigns, tests apart; looked at every two seconds while one is on its way. */
const useNewest = (test_mode: 'true' | 'false', limit: number) =>
  useQuery({
    ...queryOf(listCampaigns, { query: { limit, test_mode } }),
    refetchInterval: ({ state }) => followInterval(state.data?.data),
  })
export const useRecentCampaigns = () => useNewest('false', SHOWN)

export function RecentCampaigns() {
  const t = useWords('dashboard')
  const { mayChange } = useMerchant()
  const testsTitle = useId()
  const { data, error, refetch } = useRecentCampaigns()
  const tests = useNewest('true', TESTS_SHOWN).data
  return (
    <Card
      title={t('campaigns.title')}
      action={
        data &&
        data.total + (tests?.total ?? 0) > 0 && (
          <TextLink to={paths.campaigns()} size="sm">
            {t('campaigns.all')}
          </TextLink>
        )
      }
    >
      {data === undefined ? (
        error ? (
          <LoadFailed error={error} retry={() => void refetch()} />
        ) : (
          <Loading lines={8} />
        )
      ) : data.total === 0 ? (
        <Stack gap="sm" align="flex-start">
          <Text size="sm" c="dimmed">
            {t('campaigns.none')}
          </Text>
          {mayChange && (
            <ButtonLink to={paths.campaignNew()} variant="default">
              {t('campaigns.create')}
            </ButtonLink>
          )}
        </Stack>
      ) : (
        <ul className={classes.campaigns}>
          {data.data.map((campaign) => (
            <CampaignLine key={campaign.id} campaign={campaign} />
          ))}
        </ul>
      )}
      {tests && tests.total > 0 && (
        <section aria-labelledby={testsTitle} className={classes.tests}>
          <Text id={testsTitle} component="h3" size="sm" fw={600}>
            {t('campaigns.tests')}
          </Text>
          <Text size="sm" c="dimmed">
            {t('campaigns.testsText')}
          </Text>
          <ul className={classes.campaigns}>
            {tests.data.map((campaign) => (
              <CampaignLine key={campaign.id} campaign={campaign} />
            ))}
          </ul>
        </section>
      )}
    </Card>
  )
}

function CampaignLine({ campaign }: { campaign: Campaign }) {
  const t = useWords('dashboard')
  const format = useFormat()
  const { balance, status } = campaign
  const audience =
    campaign.segment_type === 'all'
      ? t('campaigns.noSegment')
      : (campaign.customer_segment?.name ?? t('campaigns.segmentNotChosen'))
  const over = status === 'sent' || status === 'resolved' || status === 'send_failure'
  return (
    <li>
      <Group justify="space-between" gap="xs" wrap="nowrap" align="flex-start">
        <div className={classes.campaignName}>
          <TextLink to={paths.campaign(campaign.id)} fw={600}>
            {campaign.name || t('campaigns.untitled')}
          </TextLink>
          <Text size="sm" c="dimmed">
            {[audience, campaign.sent_at && format.dateTime(campaign.sent_at)].filter(Boolean).join(' · ')}
          </Text>
        </div>
        <Group gap={6} justify="flex-end">
          <CampaignBadge status={status} sendType={campaign.send_type} balance={balance} />
          {campaign.test_mode && <TestBadge />}
        </Group>
      </Group>
      {status === 'sending' && balance && (
        <Progress
          label={t('campaigns.progress')}
          done={balance.audience - balance.pending - balance.sending}
          total={balance.audience}
        />
      )}
      {status === 'reserved' && campaign.scheduled_at && (
        <Text size="sm">{t('campaigns.scheduled', { time: format.scheduled(campaign.scheduled_at) })}</Text>
      )}
      {over && balance && balance.sent > 0 && !campaign.test_mode && campaign.tracking_enabled && (
        <Text size="sm" className="numbers">
          {t(goesBy(campaign.channels, 'email') ? 'campaigns.results' : 'campaigns.resultsByLine', {
            sent: format.number(balance.sent),
            open: format.percent(campaign.open_rate),
            click: format.percent(campaign.click_rate),
            revenue: format.money(campaign.sales),
          })}
        </Text>
      )}
    </li>
  )
}

import { Button, Group, Loader, Stack, Text } from '@mantine/core'
import { type Campaign, channelsOf, DEFAULT_TRACKING_SOURCE, goesBy } from '@okaeri/contract/campaigns/campaign'
import { couponText } from '@okaeri/contract/scenarios/flow/phrases'
import { useFormat } from '../../app/format.ts'
import { useLanguage, useWords } from '../../app/i18n.ts'
import { useMerchant } from '../../app/merchant.tsx'
import { paths } from '../../app/paths.ts'
import type { Action } from '../../ui/actions.tsx'
import { Card, Facts } from '../../ui/pages/detail-page.tsx'
import { TextLink } from '../../ui/links.tsx'
import { AbTestCard } from './ab-test/ab-test-groups.tsx'
import { BalanceView } from './balance-view.tsx'
import { type CampaignAction } from './campaign-actions.tsx'
import { isOnItsWay } from './campaign-badge.tsx'
import { CampaignCouponsCard } from './coupon-card.tsx'

const isOver = ({ status }: Campaign): boolean =>
  status === 'cancelled' || status === 'sent' || status === 'send_failure' || status === 'resolved'

/** The audience is being written down; a table of zeros would say that no one was chosen. */
export const isBeingChosen = ({ status, balance }: Campaign): boolean =>
  (status === 'collecting' || status === 'reserving') && balance?.audience === 0

export const Cards = ({ campaign, actions }: { campaign: Campaign; actions: Record<CampaignAction, Action> }) => (
  <>
    <Stack gap="md">
      <BalanceCard campaign={campaign} resend={actions.resend} />
      {campaign.ab_phase !== null && campaign.ab_phase !== 'planned' && <AbTestCard campaign={campaign} />}
      {campaign.coupon !== null && campaign.reserved_at !== null && (
        <CampaignCouponsCard campaign={campaign} retry={actions.retryCoupons} />
      )}
    </Stack>
    <Stack gap="md">
      <FactsCard campaign={campaign} />
      <ResultsCard campaign={campaign} />
    </Stack>
  </>
)

function BalanceCard({ campaign, resend }: { campaign: Campaign; resend: Action }) {
  const t = useWords('campaigns')
  const format = useFormat()
  const { balance } = campaign
  return (
    <Card title={t('balance.title')}>
      {balance && isBeingChosen(campaign) ? (
        <Group gap="sm" role="status">
          <Loader size="sm" aria-hidden />
          <Text size="sm" c="dimmed">
            {t('balance.choosing')}
          </Text>
        </Group>
      ) : balance ? (
        <BalanceView
          balance={balance}
          status={campaign.status}
          uncertainAction={
            <Stack gap={6} align="flex-start">
              {t('balance.uncertain', { count: balance.uncertain, n: format.number(balance.uncertain) })}
              {!isOnItsWay(campaign.status) && (
                <Button
                  size="compact-sm"
                  variant="default"
                  leftSection={resend.icon}
                  loading={resend.busy ?? false}
                  disabled={Boolean(resend.disabledReason)}
                  onClick={resend.onClick}
                >
                  {resend.label}
                </Button>
              )}
            </Stack>
          }
        />
      ) : (
        <Text size="sm" c="dimmed">
          {t('balance.before')}
        </Text>
      )}
    </Card>
  )
}

function FactsCard({ campaign }: { campaign: Campaign }) {
  const t = useWords('campaigns')
  const format = useFormat()
  const language = useLanguage()
  const { currency } = useMerchant()
  const { tracking_parameters: utm } = campaign
  const parameters = [
    `utm_source=${utm.source ?? DEFAULT_TRACKING_SOURCE}`,
    `utm_medium=${utm.medium ?? channelsOf(campaign.channels).join(' / ')}`,
    ...(utm.campaign ? [`utm_campaign=${utm.campaign}`] : []),
  ]
  return (
    <Card title={t('facts.title')}>
      <Facts
        items={[
          {
            label: t('segment'),
            value:
              campaign.segment_type === 'all' ? (
                t('allCustomers')
              ) : campaign.customer_segment_id ? (
                <TextLink to={paths.segment(campaign.customer_segment_id)}>
                  {campaign.customer_segment?.name ?? t('segment')}
                </TextLink>
              ) : (
                t('notChosen')
              ),
          },
          { label: t('facts.channels'), value: t(`channels.${campaign.channels}`) },
          goesBy(campaign.channels, 'line') && {
            label: t('lineMessage'),
            value: campaign.line_message ? (
              <TextLink to={paths.lineMessage(campaign.line_message.id)}>{campaign.line_message.name}</TextLink>
            ) : (
              t('notChosen')
            ),
          },
          goesBy(campaign.channels, 'email') && {
            label: t('email'),
            value: campaign.email ? (
              <TextLink to={paths.email(campaign.email.id)}>{campaign.email.name}</TextLink>
            ) : (
              t('notChosen')
            ),
          },
          campaign.ab_test !== null &&
            goesBy(campaign.channels, 'email') &&
            campaign.ab_phase !== null && {
              label: t('ab.title'),
              value: t('ab.facts.value', {
                differs: t(`ab.form.${campaign.ab_test.differs}`),
                share: campaign.ab_test.share,
                count: campaign.ab_test.hours,
                hours: format.number(campaign.ab_test.hours),
                measure: t(`ab.form.measure.${campaign.ab_test.decides_by}`),
              }),
            },
          campaign.coupon !== null &&
            campaign.reserved_at === null && {
              label: t('coupon.title'),
              value: couponText(campaign.coupon, { language, names: { currency } }),
            },
          campaign.sender !== null && {
            label: t('facts.sender'),
            value: [campaign.sender.name, `<${campaign.sender.email}>`].filter(Boolean).join(' '),
          },
          { label: t('facts.sendType'), value: t(`facts.${campaign.send_type}`) },
          campaign.send_type === 'scheduled' && {
            label: t('facts.scheduledAt'),
            value: campaign.scheduled_at ? format.scheduled(campaign.scheduled_at) : t('notChosen'),
          },
          campaign.reserved_at !== null && {
            label: t(campaign.send_type === 'immediate' ? 'facts.confirmedAt' : 'facts.reservedAt'),
            value: format.dateTime(campaign.reserved_at),
          },
          campaign.sent_at !== null && { label: t('facts.sentAt'), value: format.dateTime(campaign.sent_at) },
          goesBy(campaign.channels, 'email') && {
            label: t('facts.consent'),
            value: campaign.send_to_all ? t('facts.consentSent') : t('facts.consentNotSent'),
          },
          { label: t('facts.tracking'), value: campaign.tracking_enabled ? t('facts.on') : t('facts.off') },
          campaign.tracking_enabled && { label: t('facts.utm'), value: parameters.join(' ') },
          { label: t('createdAt'), value: format.dateTime(campaign.created_at) },
        ]}
      />
    </Card>
  )
}

function ResultsCard({ campaign }: { campaign: Campaign }) {
  const t = useWords('campaigns')
  const format = useFormat()
  const { balance } = campaign
  const counted = (count: number, rate: number) =>
    t('facts.countAndRate', { n: format.number(count), rate: format.percent(rate) })
  return (
    <Card title={t('facts.results')}>
      {campaign.test_mode && balance ? (
        <Text size="sm" c="dimmed">
          {t('facts.testNotCounted')}
        </Text>
      ) : balance && balance.sent > 0 && !campaign.tracking_enabled ? (
        <Text size="sm" c="dimmed">
          {t('report.untracked')}
        </Text>
      ) : balance && balance.sent > 0 ? (
        <Facts
          items={[
            goesBy(campaign.channels, 'email') && {
              label: t('facts.opens'),
              value: counted(campaign.open_count, campaign.open_rate),
            },
            { label: t('facts.clicks'), value: counted(campaign.click_count, campaign.click_rate) },
            { label: t('facts.orders'), value: format.number(campaign.order_count) },
            { label: t('sales'), value: format.money(campaign.sales) },
          ]}
        />
      ) : (
        <Text size="sm" c="dimmed">
          {t(isOver(campaign) ? 'facts.nothingSent' : 'facts.noResultsYet')}
        </Text>
      )}
    </Card>
  )
}

import { CompositeChart } from '@mantine/charts'
import { Group, SegmentedControl, Text } from '@mantine/core'
import { type CampaignChannels, goesBy } from '@okaeri/contract/campaigns/campaign'
import type { CampaignReport } from '@okaeri/contract/campaigns/report'
import { getCampaignReport } from '@okaeri/contract/campaigns/routes'
import { currencyDigits } from '@okaeri/contract/money'
import { downloadClicks, downloadRecipients } from '@okaeri/contract/reports/routes'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { download } from '../../../api/call.ts'
import { queryOf } from '../../../api/queries.ts'
import { useFormat } from '../../../app/format.ts'
import { useWords } from '../../../app/i18n.ts'
import { useMerchant } from '../../../app/merchant.tsx'
import { paths } from '../../../app/paths.ts'
import { Card } from '../../../ui/pages/detail-page.tsx'
import { Figure } from '../../../ui/figure.tsx'
import { TextLink } from '../../../ui/links.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Records } from '../../../ui/pages/records.tsx'
import { ChartCard, ReportPage } from '../../../ui/pages/report-page.tsx'
import { CampaignReceivers } from '../../deliverability/campaign-receivers.tsx'
import { AbTestGroups } from '../ab-test/ab-test-groups.tsx'
import { BalanceView } from '../balance-view.tsx'
import { CALM_INTERVAL_MS, CampaignBadge, isOnItsWay, LIVE_INTERVAL_MS, TestBadge } from '../campaign-badge.tsx'
import classes from './campaign-report.module.css'
import { ClickMap } from './click-map.tsx'
import { Comparison } from './comparison.tsx'
import { CampaignCouponsCard } from '../coupon-card.tsx'
import { Funnel } from './funnel.tsx'

export function CampaignReportPage() {
  const t = useWords('campaigns')
  const ui = useWords('ui')
  const format = useFormat()
  const { setting } = useMerchant()
  const { id = '' }: { id?: string } = useParams({ strict: false })
  const query = useQuery({
    ...queryOf(getCampaignReport, { params: { id } }),
    refetchInterval: ({ state }) =>
      state.data && isOnItsWay(state.data.report.status) ? LIVE_INTERVAL_MS : CALM_INTERVAL_MS,
  })
  const report = query.data?.report
  const usual = report && usualOf(report)

  return (
    <ReportPage
      title={report?.name ?? t('report.title')}
      back={{ to: paths.campaign(id), label: t('report.back') }}
      badge={
        report && (
          <Group gap={6}>
            <CampaignBadge status={report.status} sendType={report.send_type} balance={report.balance} />
            {report.test_mode && <TestBadge />}
          </Group>
        )
      }
      description={
        report?.sent_at
          ? ui('labelled', { label: t('facts.sentAt'), value: format.scheduled(report.sent_at) })
          : undefined
      }
      csv={[
        {
          label: t('report.csvRecipients'),
          run: () => download(downloadRecipients, { params: { id } }, `campaign-${id}.csv`),
        },
        {
          label: t('report.csvClicks'),
          run: () => download(downloadClicks, { params: { id } }, `campaign-${id}-clicks.csv`),
        },
      ]}
      query={query}
      countedAt={report?.counted_at}
      howCounted={
        <>
          {t(`report.how.${howOf(report?.channels ?? 'email')}`, { days: setting.attribution_days })}
          {usual && ` ${t('report.usualHow', { count: usual.campaigns, n: format.number(usual.campaigns) })}`}
        </>
      }
      notice={
        report?.test_mode ? (
          <Notice tone="warning">{t('report.test')}</Notice>
        ) : (
          report?.tracking_enabled === false && <Notice>{t('report.untracked')}</Notice>
        )
      }
      figures={<Figures report={report} />}
    >
      {report && <Body report={report} />}
    </ReportPage>
  )
}

const bounceKinds = ['hard', 'soft', 'full', 'blocked'] as const
const howOf = (channels: CampaignChannels) => (channels === 'line_else_email' ? 'both' : channels)
const noRates = (of: CampaignReport): boolean => of.test_mode || of.delivery_count === 0 || !of.tracking_enabled
const usualOf = (report: CampaignReport) => (noRates(report) ? null : report.usual)

function Figures({ report }: { report: CampaignReport | undefined }) {
  const t = useWords('campaigns')
  const r = useWords('reports')
  const format = useFormat()
  const perEmail = ({ revenue: { currency } }: CampaignReport, amount: number): string =>
    format.moneyEach({ amount, currency })
  const usual = report && usualOf(report)
  const beside = (of: 'open_rate' | 'click_rate') =>
    report &&
    usual && {
      change: {
        now: report[of],
        before: usual[of],
        points: true,
        against: t('report.usual', { value: format.percent(usual[of]) }),
      },
    }
  // Nothing is a percentage of nothing.
  const revenueBeside = report &&
    usual &&
    usual.revenue_per_message > 0 && {
      change: {
        now: report.revenue.amount / report.delivery_count,
        before: usual.revenue_per_message,
        against: t('report.usualRevenue', { money: perEmail(report, usual.revenue_per_message) }),
      },
    }
  const leftOut = report?.orders_in_other_currencies ?? 0
  const isMailed = !report || goesBy(report.channels, 'email')
  const count = (value: number | undefined) => (value === undefined ? undefined : format.number(value))

  return (
    <div className={classes.figures} data-few={!isMailed || undefined}>
      <Figure
        label={t('report.revenue')}
        value={report && (report.tracking_enabled ? format.money(report.revenue) : '—')}
        hint={
          report &&
          !noRates(report) &&
          t('report.perRecipient', { money: perEmail(report, report.revenue.amount / report.delivery_count) })
        }
        {...revenueBeside}
      />
      <Figure
        label={t('report.orders')}
        value={report && (report.tracking_enabled ? format.number(report.order_count) : '—')}
        hint={leftOut > 0 && r('otherCurrencies', { n: format.number(leftOut) })}
      />
      <Figure label={t('report.delivered')} value={count(report?.delivery_count)} hint={t('report.ofSent')} />
      {isMailed && (
        <Figure
          label={t('report.openRate')}
          value={report && (noRates(report) ? '—' : format.percent(report.open_rate))}
          {...beside('open_rate')}
          hint={
            report &&
            t(report.machine_open_count > 0 ? 'report.opensHint' : 'report.opened', {
              count: report.open_count,
              n: format.number(report.open_count),
              machine: format.number(report.machine_open_count),
            })
          }
        />
      )}
      {report?.line_opens && <OpenedOnLine report={report} opens={report.line_opens} />}
      <Figure
        label={t('report.clickRate')}
        value={report && (noRates(report) ? '—' : format.percent(report.click_rate))}
        {...beside('click_rate')}
        hint={
          report &&
          t(report.machine_click_count > 0 ? 'report.clicksHint' : 'report.clicked', {
            count: report.click_count,
            n: format.number(report.click_count),
            machine: format.number(report.machine_click_count),
          })
        }
      />
      {isMailed && (
        <>
          <Figure
            label={t('report.bounces')}
            value={count(report?.bounce_count)}
            hint={
              report && report.bounce_count > 0
                ? bounceKinds
                    .filter((kind) => report.bounces_by_kind[kind] > 0)
                    .map((kind) => t(`report.bounceKinds.${kind}`, { n: format.number(report.bounces_by_kind[kind]) }))
                    .join(t('report.bounceKinds.and'))
                : undefined
            }
          />
          <Figure label={t('report.unsubscribes')} value={count(report?.unsubscribe_count)} />
          <Figure label={t('report.complaints')} value={count(report?.complaint_count)} />
        </>
      )}
    </div>
  )
}

/** How many opened it on LINE: the platform's own count, which comes late and of no one in particular. */
function OpenedOnLine({ report, opens }: { report: CampaignReport; opens: NonNullable<CampaignReport['line_opens']> }) {
  const t = useWords('campaigns')
  const format = useFormat()
  const { status, people, read_at } = opens
  const sent = report.by_channel.find(({ channel }) => channel === 'line')?.delivery_count ?? report.delivery_count
  return (
    <Figure
      label={t('report.lineOpened.label')}
      value={people === null ? '—' : format.number(people)}
      hint={t(`report.lineOpened.${status}`, {
        time: read_at ? format.dateTime(read_at) : '',
        percent: sent === 0 ? '—' : format.percent(((people ?? 0) / sent) * 100),
      })}
    />
  )
}

function Body({ report }: { report: CampaignReport }) {
  const t = useWords('campaigns')
  const isMailed = goesBy(report.channels, 'email')
  return (
    <>
      {report.ab_test && (
        <Card title={t('ab.title')}>
          <AbTestGroups report={report.ab_test} known={report} />
        </Card>
      )}
      <Comparison report={report} />
      <Funnel report={report} />
      <Series report={report} />
      <ByChannel report={report} />
      {isMailed && <CampaignReceivers id={report.id} isLive={isOnItsWay(report.status)} />}
      {goesBy(report.channels, 'email') && (
        <ClickMap
          campaignId={report.id}
          groups={groupsOf(report)}
          action={report.email && <TextLink to={paths.email(report.email.id)}>{report.email.name}</TextLink>}
        />
      )}
      {goesBy(report.channels, 'line') && <Links report={report} />}
      <Notice title={t(isMailed ? 'report.machineTitle' : 'report.lineOpensTitle')}>
        {isMailed && t('report.machineText')}{' '}
        {goesBy(report.channels, 'line') && t(report.line_opens ? 'report.lineCounts' : 'report.lineOpens')}
      </Notice>
      <CampaignCouponsCard campaign={report} />
      <Card title={t('balance.title')}>
        <BalanceView balance={report.balance} status={report.status} />
      </Card>
    </>
  )
}

/** The groups whose mail can be drawn: the rest only once it is known what it gets. */
const groupsOf = ({ ab_test }: CampaignReport) =>
  (ab_test?.groups ?? []).flatMap(({ group, content }) => (content ? [{ group, content }] : []))

/** What came of each channel; LINE does not report who opened. */
function ByChannel({ report }: { report: CampaignReport }) {
  const t = useWords('campaigns')
  const format = useFormat()
  if (report.by_channel.length === 0) return null
  return (
    <Card title={t('report.byChannel')}>
      <Records
        dense
        records={report.by_channel.map((row) => ({ ...row, id: row.channel }))}
        rowName={({ channel }) => t(`channels.${channel}`)}
        columns={[
          { accessor: 'channel', title: t('report.channel'), render: ({ channel }) => t(`channels.${channel}`) },
          {
            accessor: 'delivery_count',
            title: t('report.delivered'),
            textAlign: 'right',
            render: (row) => format.number(row.delivery_count),
          },
          {
            accessor: 'click_rate',
            title: t('report.clickRate'),
            textAlign: 'right',
            render: (row) => format.percent(row.click_rate),
          },
          {
            accessor: 'order_count',
            title: t('report.orders'),
            textAlign: 'right',
            render: (row) => format.number(row.order_count),
          },
          {
            accessor: 'revenue',
            title: t('report.revenue'),
            textAlign: 'right',
            render: (row) => format.money(row.revenue),
          },
        ]}
      />
    </Card>
  )
}

/** A LINE message is not drawn with its clicks: they stand by their addresses. */
function Links({ report }: { report: CampaignReport }) {
  const t = useWords('campaigns')
  const format = useFormat()
  return (
    <Card title={t('report.links')}>
      {report.links.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('report.noLinks')}
        </Text>
      ) : (
        <Records
          dense
          records={report.links.map((link) => ({ ...link, id: link.url }))}
          rowName={({ url }) => url}
          columns={[
            {
              accessor: 'url',
              title: t('report.link'),
              cellsStyle: () => ({ overflowWrap: 'anywhere' }),
              render: ({ url }) => url,
            },
            {
              accessor: 'click_count',
              title: t('report.clicks'),
              width: 120,
              textAlign: 'right',
              render: (link) => format.number(link.click_count),
            },
          ]}
        />
      )}
    </Card>
  )
}

function Series({ report }: { report: CampaignReport }) {
  const t = useWords('campaigns')
  const format = useFormat()
  const [shown, setShown] = useState<'reactions' | 'revenue'>('reactions')
  const { currency } = report.revenue
  // LINE does not tell who opened.
  const isMailed = goesBy(report.channels, 'email')
  const money = (amount: number) => format.money({ amount, currency })
  const unit = 10 ** currencyDigits(currency)
  // Days begin at midnight in the merchant's zone: a point for a whole day is named by its day.
  const isDaily =
    report.series.length > 1 && report.series.every((point) => format.dateTime(point.at).endsWith('00:00'))
  const label = (at: string) => (isDaily ? format.date(at) : format.dateTime(at))
  const data = report.series.map((point) => ({
    at: label(point.at),
    [t('report.opens')]: point.opens,
    [t('report.clicks')]: point.clicks,
    [t('report.revenue')]: point.revenue / unit,
  }))
  return (
    <ChartCard
      title={t('report.chart')}
      empty={
        report.series.every((point) =>
          shown === 'revenue' ? point.revenue === 0 : point.opens === 0 && point.clicks === 0,
        ) && t(shown === 'revenue' ? 'report.noSales' : isMailed ? 'report.noSeries' : 'report.noClicks')
      }
      controls={
        <SegmentedControl
          size="xs"
          aria-label={t('report.seriesLabel')}
          value={shown}
          onChange={(value) => setShown(value === 'revenue' ? 'revenue' : 'reactions')}
          data={[
            { value: 'reactions', label: t(isMailed ? 'report.reactions' : 'report.clicks') },
            { value: 'revenue', label: t('report.revenue') },
          ]}
        />
      }
      chart={
        <CompositeChart
          h={280}
          data={data}
          dataKey="at"
          withLegend
          legendProps={{ verticalAlign: 'bottom' }}
          maxBarWidth={36}
          series={
            shown === 'reactions'
              ? [
                  ...(isMailed ? ([{ name: t('report.opens'), color: 'teal.6', type: 'area' }] as const) : []),
                  { name: t('report.clicks'), color: 'orange.6', type: 'line' },
                ]
              : [{ name: t('report.revenue'), color: 'blue.6', type: 'bar' }]
          }
          curveType="linear"
          withDots={data.length < 40}
          valueFormatter={(value) => (shown === 'revenue' ? money(Math.round(value * unit)) : format.number(value))}
          yAxisProps={{ width: shown === 'revenue' ? 84 : 48, allowDecimals: false }}
          xAxisProps={{ minTickGap: 48 }}
        />
      }
      table={{
        head: [t('report.at'), t('report.opens'), t('report.clicks'), t('report.revenue')],
        rows: report.series.map((point) => [
          label(point.at),
          format.number(point.opens),
          format.number(point.clicks),
          money(point.revenue),
        ]),
      }}
    />
  )
}

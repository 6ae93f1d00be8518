import { Paper, SegmentedControl, SimpleGrid, Skeleton } from '@mantine/core'
import { getSync } from '@okaeri/contract/customers/routes'
import { getDashboard, type StatsPoint, type StatsUnit, Timespan } from '@okaeri/contract/reports/routes'
import { checkScenarios } from '@okaeri/contract/scenarios/routes'
import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { queryOf } from '../../api/queries.ts'
import { useFormat } from '../../app/format.ts'
import { useWords } from '../../app/i18n.ts'
import { useMerchant } from '../../app/merchant.tsx'
import { Card } from '../../ui/detail-page.tsx'
import { Figure } from '../../ui/figure.tsx'
import { PageFrame } from '../../ui/page-frame.tsx'
import { ChartCard, ReportPage } from '../../ui/report-page.tsx'
import { Loading } from '../../ui/states.tsx'
import { SyncProgressCard, useSync } from '../customers/sync-progress.tsx'
import { LineQuotaCard } from '../line-accounts/line-quota.tsx'
import { ByChannel } from '../reports/by-channel.tsx'
import { rateChange, sumChange } from '../reports/period-change.ts'
import { Alerts, StoreAutomations } from './alerts.tsx'
import classes from './dashboard.module.css'
import { FirstSteps, firstStepsNeed } from './first-steps.tsx'
import { News } from './news.tsx'
import { RecentCampaigns } from './recent-campaigns.tsx'
import { DashboardSearch } from './routes.tsx'

// The chart library is as large as the rest of the page.
const DashboardChart = lazy(() => import('./dashboard-chart.tsx'))
const CHART_HEIGHT = 300

/** Spec §9, in its order. */
const spans = [
  ['30d', 'timespan.last30'],
  ['3m', 'timespan.months3'],
  ['1y', 'timespan.year1'],
] as const

/** What stands above the figures follows from these: until they have come, the page shows a skeleton rather than move under a thumb. */
const useIsTopKnown = (): boolean =>
  useQueries({
    queries: [queryOf(getSync, {}), queryOf(checkScenarios, {}), ...firstStepsNeed],
    combine: (answers) => answers.every(({ isPending }) => !isPending),
  })

export function DashboardPage() {
  const t = useWords('dashboard')
  const r = useWords('reports')
  const format = useFormat()
  const navigate = useNavigate()
  const merchant = useMerchant()
  const { timespan = '30d' } = DashboardSearch.parse(useSearch({ strict: false }))
  const query = useQuery({ ...queryOf(getDashboard, { query: { timespan } }), placeholderData: keepPreviousData })
  const sync = useSync()
  const isTopKnown = useIsTopKnown()
  const [isBegun, setIsBegun] = useState(false)
  // Once there, it stays: its parts ask again when they are drawn, which would take the page, and them, away, and so on for ever.
  if (!isBegun && isTopKnown && !query.isPending) setIsBegun(true)
  const now = query.data?.figures
  const before = query.data?.previous
  const people = query.data?.customers
  const currency = query.data?.currency ?? 'JPY'

  const number = (of: 'sent' | 'orders' | 'unsubscribed') => now && format.number(now[of])
  const change = (of: 'sent' | 'orders' | 'unsubscribed' | 'revenue') => sumChange(of, now, before)
  // As long as nothing went by LINE, the page speaks of email and shows nothing of channels.
  const channels = query.data?.by_channel ?? []
  const isByLine = channels.length > 0 || (before ? before.sent > before.mails_sent : false)
  const sums = isByLine ? 'all' : 'email'
  const rate = (of: 'open_rate' | 'click_rate') =>
    now && ((of === 'open_rate' ? now.mails_sent : now.sent) === 0 ? '—' : format.percent(now[of]))
  // Rates have none: who opens on the day after the sending is in a point in which nothing was sent.
  const curve = (of: 'sent' | 'orders' | 'unsubscribed' | 'revenue') => query.data?.series.map((point) => point[of])
  const withChange = (made: ReturnType<typeof change>, more = {}) => (made ? { change: { ...made, ...more } } : {})

  const controls = (
    <SegmentedControl
      aria-label={t('timespan.label')}
      value={timespan}
      onChange={(value) => {
        const chosen = Timespan.parse(value)
        void navigate({ to: '.', search: chosen === '30d' ? {} : { timespan: chosen }, replace: true })
      }}
      data={spans.map(([value, label]) => ({ value, label: t(label) }))}
    />
  )
  if (!isBegun)
    return (
      <PageFrame title={t('title')} actions={controls}>
        <Paper withBorder p="lg" h={420}>
          <Loading lines={8} />
        </Paper>
      </PageFrame>
    )
  return (
    <ReportPage
      title={t('title')}
      controls={controls}
      query={query}
      countedAt={query.data?.counted_at}
      howCounted={t(`how.${sums}`)}
      notice={
        <>
          <FirstSteps />
          <SyncProgressCard sync={sync} onlyWhile={merchant.store ? ['running', 'done', 'failed'] : ['running']} />
          <Alerts alerts={query.data?.alerts ?? []} />
        </>
      }
      figures={
        <div className={classes.figures}>
          <Figure
            label={t(`revenue.${sums}`)}
            value={now && format.money({ amount: now.revenue, currency })}
            curve={curve('revenue')}
            {...withChange(change('revenue'))}
          />
          <Figure
            label={t(`orders.${sums}`)}
            value={number('orders')}
            curve={curve('orders')}
            {...withChange(change('orders'))}
          />
          <Figure label={t('sent')} value={number('sent')} curve={curve('sent')} {...withChange(change('sent'))} />
          <Figure
            label={t('unsubscribed')}
            value={number('unsubscribed')}
            curve={curve('unsubscribed')}
            {...withChange(change('unsubscribed'), { lowerIsBetter: true })}
          />
          <Figure
            label={t('openRate')}
            value={rate('open_rate')}
            hint={
              isByLine &&
              now &&
              now.mails_sent > 0 &&
              r('ofMails', { count: now.mails_sent, n: format.number(now.mails_sent) })
            }
            {...withChange(rateChange('open_rate', now, before))}
          />
          <Figure
            label={t('clickRate')}
            value={rate('click_rate')}
            {...withChange(rateChange('click_rate', now, before))}
          />
          <Figure label={t('customers')} value={people && format.number(people.total)} />
          <Figure
            label={t('permitted')}
            value={people && format.number(people.marketing_permitted)}
            hint={
              people &&
              people.total > 0 &&
              t('permittedShare', { percent: format.percent((people.marketing_permitted / people.total) * 100) })
            }
          />
        </div>
      }
    >
      {query.data && (
        <Course series={query.data.series} unit={query.data.unit} currency={currency} isByLine={isByLine} />
      )}
      {channels.length > 0 && (
        <Card title={r('byChannel')} wide>
          <ByChannel channels={channels} currency={currency} />
        </Card>
      )}
      <LineQuotaCard />
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
        <RecentCampaigns />
        {query.data?.alerts.includes('store_automations') ? <StoreAutomations /> : <News />}
      </SimpleGrid>
      {query.data?.alerts.includes('store_automations') && <News wide />}
    </ReportPage>
  )
}

interface CourseProps {
  series: readonly StatsPoint[]
  unit: StatsUnit
  currency: string
  isByLine: boolean
}
function Course({ series, unit, currency, isByLine }: CourseProps) {
  const t = useWords('dashboard')
  const format = useFormat()
  const label = usePointLabel(unit)
  const sums = isByLine ? 'all' : 'email'
  return (
    <ChartCard
      title={t(`chart.${sums}`)}
      empty={series.every((point) => point.sent === 0 && point.revenue === 0) && t('chartEmpty')}
      chart={
        <Suspense fallback={<Skeleton height={CHART_HEIGHT} />}>
          <DashboardChart
            height={CHART_HEIGHT}
            currency={currency}
            isByLine={isByLine}
            points={series.map((point) => ({
              label: label(point.at),
              mails: point.mails_sent,
              line: point.sent - point.mails_sent,
              revenue: point.revenue,
            }))}
          />
        </Suspense>
      }
      table={{
        head: [
          t('period'),
          ...(isByLine ? [t('sentMails'), t('sentByLine')] : [t('sent')]),
          t('openRate'),
          t('clickRate'),
          t(`revenue.${sums}`),
          t(`orders.${sums}`),
          t('unsubscribed'),
        ],
        rows: series.map((point) => [
          label(point.at),
          ...(isByLine ? [point.mails_sent, point.sent - point.mails_sent] : [point.sent]).map(format.number),
          point.mails_sent === 0 ? '—' : format.percent(point.open_rate),
          point.sent === 0 ? '—' : format.percent(point.click_rate),
          format.money({ amount: point.revenue, currency }),
          format.number(point.orders),
          format.number(point.unsubscribed),
        ]),
      }}
    />
  )
}

/** What a point of the chart is called. Its `at` is a local day, so it is read and written without a zone. */
function usePointLabel(unit: StatsUnit): (at: string) => string {
  const t = useWords('dashboard')
  const { language } = useFormat()
  const tag = language === 'ja' ? 'ja-JP' : 'en-US'
  const month = unit === 'month' || unit === 'year'
  const options: Intl.DateTimeFormatOptions = month
    ? { year: 'numeric', month: 'short' }
    : { month: language === 'ja' ? 'numeric' : 'short', day: 'numeric' }
  const format = new Intl.DateTimeFormat(tag, { timeZone: 'UTC', ...options })
  return (at) => {
    const text = format.format(new Date(`${at.slice(0, 10)}T00:00:00Z`))
    return unit === 'week' ? t('weekOf', { day: text }) : text
  }
}

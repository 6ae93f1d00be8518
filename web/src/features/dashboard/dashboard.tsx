import { Paper, SegmentedControl, SimpleGrid, Skeleton } from '@mantine/core'
import type { SyncProgress } from '@okaeri/contract/customers/customer'
import { getSync } from '@okaeri/contract/customers/routes'
import type { StoreConnection } from '@okaeri/contract/merchants/merchant'
import { getDashboard, type StatsPoint, type StatsUnit, Timespan } from '@okaeri/contract/reports/routes'
import { checkScenarios } from '@okaeri/contract/scenarios/routes'
import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { queryOf } from '../../api/queries.ts'
import { useFormat } from '../../app/format.ts'
import { useWords } from '../../app/i18n.ts'
import { useMerchant } from '../../app/merchant.tsx'
import { Card } from '../../ui/pages/detail-page.tsx'
import { PageFrame } from '../../ui/pages/page-frame.tsx'
import { ChartCard, ReportPage } from '../../ui/pages/report-page.tsx'
import { Loading } from '../../ui/states.tsx'
import { SyncProgressCard, useSync } from '../customers/sync-progress.tsx'
import { LineQuotaCard } from '../line-accounts/line-quota.tsx'
import { ByChannel } from '../reports/by-channel.tsx'
import { Alerts, StoreAutomations } from './alerts.tsx'
import { DashboardFigures } from './dashboard-figures.tsx'
import { FirstSteps, firstStepsNeed } from './first-steps.tsx'
import { News } from './news.tsx'
import { RecentCampaigns } from './recent-campaigns.tsx'
import { DashboardSearch } from './search.ts'

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

/** That all is copied, and follows by itself, is only said while it is so. */
const copyShownWhile = (store: StoreConnection | null): readonly SyncProgress['status'][] =>
  store?.status !== 'connected' ? ['running'] : store.trouble ? ['running', 'failed'] : ['running', 'done', 'failed']

export function DashboardPage() {
  const t = useWords('dashboard')
  const r = useWords('reports')
  const navigate = useNavigate()
  const merchant = useMerchant()
  const { timespan = '30d' } = DashboardSearch.parse(useSearch({ strict: false }))
  const query = useQuery({ ...queryOf(getDashboard, { query: { timespan } }), placeholderData: keepPreviousData })
  const sync = useSync()
  const isTopKnown = useIsTopKnown()
  const [isBegun, setIsBegun] = useState(false)
  // Once there, it stays: its parts ask again when they are drawn, which would take the page, and them, away, and so on for ever.
  if (!isBegun && isTopKnown && !query.isPending) setIsBegun(true)
  const { previous: before, currency = 'JPY' } = query.data ?? {}
  // As long as nothing went by LINE, the page speaks of email and shows nothing of channels.
  const channels = query.data?.by_channel ?? []
  const isByLine = channels.length > 0 || (before ? before.sent > before.mails_sent : false)

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
      howCounted={t(`how.${isByLine ? 'all' : 'email'}`)}
      notice={
        <>
          <FirstSteps />
          <SyncProgressCard sync={sync} onlyWhile={copyShownWhile(merchant.store)} />
          <Alerts alerts={query.data?.alerts ?? []} />
        </>
      }
      figures={<DashboardFigures dashboard={query.data} isByLine={isByLine} />}
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

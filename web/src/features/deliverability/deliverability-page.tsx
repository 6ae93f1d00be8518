import { Group, SegmentedControl, Skeleton, Stack, Text } from '@mantine/core'
import {
  type Deliverability,
  deliverabilitySpans,
  downloadDeliverability,
  getDeliverability,
  type ReceiverHint,
} from '@okaeri/contract/deliverability/routes'
import { createSegment } from '@okaeri/contract/segments/routes'
import { IconMailCheck, IconUsersGroup } from '@tabler/icons-react'
import { Button } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { download } from '../../api/call.ts'
import { queryOf } from '../../api/queries.ts'
import { useFormat } from '../../app/format.ts'
import { useLanguage, useWords } from '../../app/i18n.ts'
import { useMerchant } from '../../app/merchant.tsx'
import { paths } from '../../app/paths.ts'
import { Card } from '../../ui/pages/detail-page.tsx'
import { Figure } from '../../ui/figure.tsx'
import { ButtonLink } from '../../ui/links.tsx'
import { Notice } from '../../ui/notice.tsx'
import { ChartCard, ReportPage } from '../../ui/pages/report-page.tsx'
import { Empty } from '../../ui/states.tsx'
import { useAction } from '../../ui/use-action.ts'
import { leafOf, newGroup } from '../segments/editor/condition-tree.ts'
import { Receivers, Source, useReceiverOrOthers } from './receivers.tsx'
import { DeliverabilitySearch } from './search.ts'

// The chart library is as large as the rest of the page.
const ComplaintsChart = lazy(() => import('./complaints-chart.tsx'))
const CHART_HEIGHT = 280

/** Of fewer mails one complaint would make a peak. */
const FEWEST_DRAWN = 100

/** What those who take the merchant's mails make of them. */
export function DeliverabilityPage() {
  const t = useWords('deliverability')
  const format = useFormat()
  const lang = useLanguage()
  const navigate = useNavigate()
  const { days = 30 } = DeliverabilitySearch.parse(useSearch({ strict: false }))
  const span = deliverabilitySpans.find((one) => one === days) ?? 30
  const query = useQuery({
    ...queryOf(getDeliverability, { query: { days: span } }),
    placeholderData: keepPreviousData,
  })
  const { data } = query
  const total = data?.total
  const recent = data?.complaints.recent
  const percent = (rate: number | undefined, of: number | undefined) =>
    rate === undefined || of === undefined ? undefined : of === 0 ? '—' : format.decimalPercent(rate)
  return (
    <ReportPage
      title={t('title')}
      description={t('description')}
      controls={
        <SegmentedControl
          aria-label={t('days.label')}
          value={String(span)}
          onChange={(value) =>
            void navigate({ to: '.', search: value === '30' ? {} : { days: Number(value) }, replace: true })
          }
          data={deliverabilitySpans.map((one) => ({ value: String(one), label: t(`days.d${one}`) }))}
        />
      }
      csv={[
        {
          label: t('csv'),
          run: () => download(downloadDeliverability, { query: { days: span, lang } }, `deliverability-${span}.csv`),
        },
      ]}
      query={query}
      countedAt={data?.counted_at ?? undefined}
      howCounted={t('howSpan')}
      notice={data && <Warnings data={data} />}
      figures={
        <>
          <Figure label={t('sent')} value={total && format.number(total.sent)} />
          <Figure label={t('rejectedRate')} value={percent(total?.refused_rate, total && total.sent + total.refused)} />
          <Figure label={t('hardRate')} value={percent(total?.hard_rate, total && total.sent + total.refused)} />
          <Figure
            label={t('complaintRate')}
            value={percent(recent?.rate, recent?.delivered)}
            hint={recent && recent.delivered > 0 && t(`recent.${recent.level}`)}
          />
          <Figure label={t('openRate')} value={percent(total?.open_rate, total?.sent)} />
        </>
      }
    >
      {data && (
        <>
          <Card title={t('byReceiver')} wide>
            {data.receivers.length > 0 ? (
              <Receivers receivers={data.receivers} isCampaign={false} />
            ) : (
              <Empty icon={IconMailCheck} title={t('empty.title')} text={t('empty.text')} />
            )}
          </Card>
          <Trend complaints={data.complaints} />
        </>
      )}
    </ReportPage>
  )
}

/** What is wrong now, each with what helps. */
function Warnings({ data }: { data: Deliverability }) {
  const t = useWords('deliverability')
  const format = useFormat()
  const { level, rate, delivered, complained } = data.complaints.recent
  const isTooMuch = level === 'high' || level === 'over'
  if (!isTooMuch && data.hints.length === 0) return null
  return (
    <Stack gap="sm">
      {isTooMuch && (
        <Notice
          tone={level === 'over' ? 'danger' : 'warning'}
          title={t(`level.${level}.title`, {
            rate: format.decimalPercent(rate),
            delivered: format.number(delivered),
            complained: format.number(complained),
          })}
          action={<MakeSegment />}
        >
          {t(`level.${level}.text`)}
        </Notice>
      )}
      {data.hints.map((hint) => (
        <Hint key={`${hint.receiver} ${hint.problem}`} hint={hint} />
      ))}
    </Stack>
  )
}

/** Their customers filter mail themselves. */
const carriers = new Set(['docomo', 'au', 'softbank', 'rakuten'])

function Hint({ hint: { receiver, problem, rate, compared, since } }: { hint: ReceiverHint }) {
  const t = useWords('deliverability')
  const format = useFormat()
  const name = useReceiverOrOthers()
  const actions = {
    refused: (
      <ButtonLink to={paths.settings()} search={{ tab: 'mail' }} size="compact-sm" variant="default">
        {t('links.domains')}
      </ButtonLink>
    ),
    hard: (
      <ButtonLink to={paths.suppressions()} size="compact-sm" variant="default">
        {t('links.suppressions')}
      </ButtonLink>
    ),
    complaints: <MakeSegment />,
    unopened: <MakeSegment />,
  }
  return (
    <Notice
      tone="warning"
      title={t(`hint.${problem}`, {
        receiver: name(receiver),
        rate: format.decimalPercent(rate),
        compared: format.decimalPercent(compared),
        since: format.calendarDay(since),
      })}
      action={actions[problem]}
    >
      {t(`advice.${problem}`)}
      {problem === 'refused' && carriers.has(receiver) && ` ${t('advice.carrier')}`}
    </Notice>
  )
}

const ENGAGED_DAYS = 90

/** Creates the segment and opens it: it can be changed there like any other. */
function MakeSegment() {
  const t = useWords('deliverability')
  const navigate = useNavigate()
  const { mayChange } = useMerchant()
  const create = useAction(createSegment, {
    done: { message: t('engaged.made') },
    onDone: ({ customer_segment }) => void navigate({ to: paths.segment(customer_segment.id) }),
  })
  if (!mayChange) return null
  const opened = leafOf('emails', 'emails_opened', 'at_least', {
    value: 1,
    campaigns: null,
    window: { within_days: ENGAGED_DAYS },
  })
  return (
    <Button
      size="compact-sm"
      variant="default"
      loading={create.isPending}
      leftSection={<IconUsersGroup size={16} aria-hidden />}
      onClick={() =>
        create.mutate({ body: { name: t('engaged.name', { days: ENGAGED_DAYS }), conditions: newGroup([opened]) } })
      }
    >
      {t('engaged.action')}
    </Button>
  )
}

/** Complaints by day or week, beside what providers allow. */
function Trend({ complaints: { unit, series } }: Pick<Deliverability, 'complaints'>) {
  const t = useWords('deliverability')
  const format = useFormat()
  const label = (at: string) =>
    unit === 'week' ? t('trend.weekOf', { day: format.calendarDay(at) }) : format.calendarDay(at)
  return (
    <Stack gap="xs">
      <ChartCard
        title={t('trend.title')}
        empty={series.every(({ complained }) => complained === 0) && t('trend.empty')}
        chart={
          <Suspense fallback={<Skeleton height={CHART_HEIGHT} />}>
            <ComplaintsChart
              height={CHART_HEIGHT}
              points={series.map(({ at, rate, delivered }) => ({
                label: format.calendarDay(at),
                rate: delivered < FEWEST_DRAWN ? null : rate,
              }))}
            />
          </Suspense>
        }
        table={{
          head: [
            t(unit === 'week' ? 'trend.week' : 'trend.day'),
            t('trend.delivered'),
            t('trend.reported'),
            t('trend.rate'),
          ],
          rows: series.map(({ at, delivered, complained, rate }) => [
            label(at),
            format.number(delivered),
            format.number(complained),
            delivered === 0 ? '—' : format.decimalPercent(rate),
          ]),
        }}
      />
      <Text size="xs" c="dimmed">
        {t('trend.how', { n: FEWEST_DRAWN })}
      </Text>
      <Group gap="xs">
        <Text size="xs" c="dimmed">
          {t('trend.sources')}
        </Text>
        <Source href="https://support.google.com/a/answer/81126">{t('trend.google')}</Source>
        <Source href="https://senders.yahooinc.com/best-practices/">{t('trend.yahoo')}</Source>
      </Group>
    </Stack>
  )
}

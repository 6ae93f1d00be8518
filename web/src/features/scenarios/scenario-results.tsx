import { SegmentedControl, Text } from '@mantine/core'
import type { ChannelFigures } from '@okaeri/contract/reports/figures'
import { getScenarioStats, Timespan } from '@okaeri/contract/reports/routes'
import type { Scenario } from '@okaeri/contract/scenarios/scenario'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { queryOf } from '../../api/queries.ts'
import { useFormat } from '../../app/format.ts'
import { useWords } from '../../app/i18n.ts'
import { useMerchant } from '../../app/merchant.tsx'
import { Card } from '../../ui/pages/detail-page.tsx'
import { Figure, Figures } from '../../ui/figure.tsx'
import { TextLink } from '../../ui/links.tsx'
import { LoadFailed } from '../../ui/states.tsx'
import { ByChannel } from '../reports/by-channel.tsx'
import { rateChange, sumChange } from '../reports/period-change.ts'
import { useCounted } from './counted.ts'
import classes from './scenario-page.module.css'

export function ScenarioResults({ scenario }: { scenario: Scenario }) {
  const t = useWords('scenarios')
  const d = useWords('dashboard')
  const format = useFormat()
  const { counted } = useCounted()
  const { setting } = useMerchant()
  const { execution_count, running_count, sent_count, mails_sent, open_rate, click_rate, order_count, revenue } =
    scenario
  const rate = (value: number, sent: number) => (sent === 0 ? '—' : format.percent(value))
  const [period, setPeriod] = useState<Timespan | 'all'>('all')
  return (
    <Card
      title={t('view.results')}
      wide
      action={
        execution_count > 0 && (
          <SegmentedControl
            size="xs"
            aria-label={d('timespan.label')}
            value={period}
            onChange={(value) => setPeriod(value === 'all' ? 'all' : Timespan.parse(value))}
            data={[
              { value: 'all', label: t('view.allTime') },
              { value: '30d', label: d('timespan.last30') },
              { value: '3m', label: d('timespan.months3') },
              { value: '1y', label: d('timespan.year1') },
            ]}
          />
        )
      }
    >
      {execution_count === 0 ? (
        <Text size="sm" c="dimmed">
          {t(scenario.enabled_at === null ? 'view.noResults' : 'view.noResultsYet')}{' '}
          {scenario.status !== 'deleted' && (
            <TextLink to="." search={{ tab: 'rehearsal' }} underline="always">
              {t('view.rehearse')}
            </TextLink>
          )}
        </Text>
      ) : (
        <>
          {period !== 'all' ? (
            <OfPeriod id={scenario.id} timespan={period} />
          ) : (
            <>
              <div className={classes.figures}>
                <Figure label={t('executionCount')} value={counted(execution_count)} />
                <Figure label={t('view.running')} value={counted(running_count)} />
                <Figure label={t('view.sentCount')} value={format.number(sent_count)} />
                <Figure label={t('view.openRate')} value={rate(open_rate, mails_sent)} />
                <Figure label={t('view.clickRate')} value={rate(click_rate, sent_count)} />
                <Figure label={t('view.orders')} value={format.number(order_count)} />
                <Figure label={t('view.revenue')} value={format.money(revenue)} />
              </div>
              <OfChannels channels={scenario.by_channel} currency={revenue.currency} />
            </>
          )}
          <Text size="xs" c="dimmed">
            {t(
              `view.${setting.attribution_counts_opens ? 'howCountedOpens' : 'howCounted'}.${scenario.by_channel.length > 0 ? 'all' : 'email'}`,
              { n: format.number(setting.attribution_days) },
            )}
          </Text>
        </>
      )}
    </Card>
  )
}

/** What it sent of each channel, where there is more than mail. */
function OfChannels(props: { channels: readonly ChannelFigures[]; currency: string }) {
  const t = useWords('reports')
  if (props.channels.length === 0) return null
  return (
    <div className={classes.byChannel}>
      <Text component="h3" size="sm" fw={600} mb="xs">
        {t('byChannel')}
      </Text>
      <ByChannel {...props} />
    </div>
  )
}

/** The messages of a period, compared with the period of the same length before. */
function OfPeriod({ id, timespan }: { id: string; timespan: Timespan }) {
  const t = useWords('scenarios')
  const r = useWords('reports')
  const format = useFormat()
  const { data, error, refetch } = useQuery({
    ...queryOf(getScenarioStats, { params: { id }, query: { timespan } }),
    placeholderData: keepPreviousData,
  })
  if (error && !data) return <LoadFailed error={error} retry={() => void refetch()} />
  const now = data?.figures
  const before = data?.previous
  const leftOut = data?.orders_in_other_currencies ?? 0
  const withChange = (change: ReturnType<typeof sumChange>) => change && { change }
  const rate = (of: 'open_rate' | 'click_rate') =>
    now && ((of === 'open_rate' ? now.mails_sent : now.sent) === 0 ? '—' : format.percent(now[of]))
  return (
    <>
      <Figures>
        <Figure
          label={t('view.sentCount')}
          value={now && format.number(now.sent)}
          {...withChange(sumChange('sent', now, before))}
        />
        <Figure
          label={t('view.openRate')}
          value={rate('open_rate')}
          {...withChange(rateChange('open_rate', now, before))}
        />
        <Figure
          label={t('view.clickRate')}
          value={rate('click_rate')}
          {...withChange(rateChange('click_rate', now, before))}
        />
        <Figure
          label={t('view.orders')}
          value={now && format.number(now.orders)}
          hint={leftOut > 0 && r('otherCurrencies', { n: format.number(leftOut) })}
          {...withChange(sumChange('orders', now, before))}
        />
        <Figure
          label={t('view.revenue')}
          value={now && format.money({ amount: now.revenue, currency: data.currency })}
          {...withChange(sumChange('revenue', now, before))}
        />
      </Figures>
      {data && <OfChannels channels={data.by_channel} currency={data.currency} />}
    </>
  )
}

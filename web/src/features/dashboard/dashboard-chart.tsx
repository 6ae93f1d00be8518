import { CompositeChart } from '@mantine/charts'
import { currencyDigits } from '@okaeri/contract/money'
import { useFormat } from '../../app/format.ts'
import { useWords } from '../../app/i18n.ts'
import classes from './dashboard-chart.module.css'

interface DashboardChartProps {
  /** Revenue in minor units. */
  points: readonly { label: string; mails: number; line: number; revenue: number }[]
  currency: string
  height: number
  /** Two parts of a bar instead of one. */
  isByLine: boolean
}

/** What was sent as bars, revenue as a line on its own axis. The default export is what `lazy` takes. */
export default function DashboardChart({ points, currency, height, isByLine }: DashboardChartProps) {
  const t = useWords('dashboard')
  const format = useFormat()
  const unit = 10 ** currencyDigits(currency)
  const symbol = format.currencySymbol(currency)
  return (
    <>
      <div className={classes.units} aria-hidden>
        <span>{t(`sentUnit.${isByLine ? 'all' : 'email'}`)}</span>
        <span>{t('revenueUnit', { symbol })}</span>
      </div>
      <CompositeChart
        h={height}
        data={points.map((point) => ({ ...point, revenue: point.revenue / unit }))}
        dataKey="label"
        withLegend
        legendProps={{ verticalAlign: 'bottom', height: 34 }}
        withRightYAxis
        withDots={points.length <= 31}
        dotProps={{ r: 2.5 }}
        maxBarWidth={26}
        tickLine="none"
        gridAxis="x"
        xAxisProps={{ interval: 'preserveStartEnd', minTickGap: 28 }}
        strokeWidth={2.5}
        curveType="linear"
        series={[
          {
            name: 'mails',
            label: t(isByLine ? 'sentMails' : 'sent'),
            type: 'bar',
            color: 'light-dark(#9ccfd0, #2c6466)',
          },
          ...(isByLine
            ? ([{ name: 'line', label: t('sentByLine'), type: 'bar', color: 'light-dark(#4f9a5c, #6cc07a)' }] as const)
            : []),
          {
            name: 'revenue',
            label: t(`revenue.${isByLine ? 'all' : 'email'}`),
            type: 'line',
            color: 'light-dark(#b35c00, #ffb35c)',
            yAxisId: 'right',
          },
        ]}
        valueFormatter={(value) => format.number(value)}
        tooltipProps={{ isAnimationActive: false }}
        yAxisProps={{ tickFormatter: (value: number) => format.compact(value), width: 48, allowDecimals: false }}
        rightYAxisProps={{
          tickFormatter: (value: number) => format.compact(value),
          width: 56,
          allowDecimals: false,
        }}
        tooltipAnimationDuration={0}
        barProps={({ name }) => ({
          isAnimationActive: false,
          stackId: 'sent',
          ...((name === 'line') === isByLine && { radius: [3, 3, 0, 0] }),
        })}
        lineProps={{ isAnimationActive: false }}
      />
    </>
  )
}

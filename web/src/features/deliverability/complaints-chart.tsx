import { LineChart } from '@mantine/charts'
import { complaintLimits } from '@okaeri/contract/deliverability/complaints'
import { useFormat } from '../../app/format.ts'
import { useWords } from '../../app/i18n.ts'

interface ComplaintsChartProps {
  /** Null where too little was delivered. */
  points: readonly { label: string; rate: number | null }[]
  height: number
}

/** The rate beside the limits. The default export is what `lazy` takes. */
export default function ComplaintsChart({ points, height }: ComplaintsChartProps) {
  const t = useWords('deliverability')
  const format = useFormat()
  const name = t('trend.rate')
  const highest = Math.max(complaintLimits.over, ...points.map(({ rate }) => rate ?? 0))
  return (
    <LineChart
      h={height}
      data={points.map(({ label, rate }) => ({ label, [name]: rate }))}
      dataKey="label"
      series={[{ name, color: 'light-dark(#2c6466, #9ccfd0)' }]}
      curveType="linear"
      connectNulls
      strokeWidth={2.5}
      dotProps={{ r: 2.5 }}
      referenceLines={[
        { y: complaintLimits.high, label: t('trend.high'), color: 'orange.7', labelPosition: 'insideBottomLeft' },
        { y: complaintLimits.over, label: t('trend.over'), color: 'red.7', labelPosition: 'insideBottomLeft' },
      ]}
      valueFormatter={(value) => format.decimalPercent(value)}
      yAxisProps={{ domain: [0, Math.ceil(highest * 12) / 10], width: 56, tickCount: 5 }}
      xAxisProps={{ interval: 'preserveStartEnd', minTickGap: 36 }}
      tooltipAnimationDuration={0}
      lineProps={{ isAnimationActive: false }}
    />
  )
}

import { BarChart } from '@mantine/charts'
import type { RichMenuClicks } from '@okaeri/contract/rich-menus/menu'
import { useFormat } from '../../app/format.ts'
import { useWords } from '../../app/i18n.ts'
import { ChartCard } from '../../ui/pages/report-page.tsx'

/** Of people, by day; the default export is what `lazy` takes. */
export default function ClicksChart({ days }: { days: RichMenuClicks['days'] }) {
  const t = useWords('richMenus')
  const format = useFormat()
  const label = t('clicks.people')
  return (
    <ChartCard
      title={t('clicks.perDay')}
      empty={days.every(({ human }) => human === 0) && t('clicks.none')}
      chart={
        <BarChart
          h={280}
          data={days.map(({ day, human }) => ({ day: format.calendarDay(day), [label]: human }))}
          dataKey="day"
          maxBarWidth={24}
          series={[{ name: label, color: 'teal.6' }]}
          valueFormatter={(value) => format.number(value)}
          yAxisProps={{ width: 48, allowDecimals: false }}
          xAxisProps={{ minTickGap: 48 }}
        />
      }
      table={{
        head: [t('clicks.day'), label],
        rows: days.map(({ day, human }) => [format.calendarDay(day), format.number(human)]),
      }}
    />
  )
}

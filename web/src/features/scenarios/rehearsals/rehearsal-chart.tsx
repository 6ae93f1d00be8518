import { BarChart } from '@mantine/charts'
import type { Rehearsal } from '@okaeri/contract/scenarios/rehearsal'
import { useFormat } from '../../../app/format.ts'
import { useWords } from '../../../app/i18n.ts'
import { ChartCard } from '../../../ui/pages/report-page.tsx'

/** Messages per day. Days without any are in the chart, but not in the table. */
export default function RehearsalChart({ rehearsal, sendsLine }: { rehearsal: Rehearsal; sendsLine: boolean }) {
  const t = useWords('rehearsal')
  const format = useFormat()
  const { per_day: perDay } = rehearsal
  const first = perDay.at(0)
  const last = perDay.at(-1)
  const byDay = new Map(perDay.map((each) => [each.day, each]))
  const days = first && last ? daysFrom(first.day, last.day) : []
  const series = [
    { count: 'mails', label: t('mails'), color: 'teal.6' },
    ...(sendsLine ? [{ count: 'line_messages', label: t('lineMessages'), color: 'lime.7' } as const] : []),
  ] as const
  return (
    <ChartCard
      title={t('perDay')}
      empty={days.length === 0 && t('noMessages')}
      chart={
        <BarChart
          h={280}
          data={days.map((day) => ({
            day: format.calendarDay(day),
            ...Object.fromEntries(series.map(({ count, label }) => [label, byDay.get(day)?.[count] ?? 0])),
          }))}
          dataKey="day"
          type="stacked"
          withLegend={series.length > 1}
          maxBarWidth={24}
          series={series.map(({ label, color }) => ({ name: label, color }))}
          valueFormatter={(value) => format.number(value)}
          yAxisProps={{ width: 48, allowDecimals: false }}
          xAxisProps={{ minTickGap: 48 }}
        />
      }
      table={{
        head: [t('day'), ...series.map(({ label }) => label)],
        rows: perDay.map((each) => [
          format.calendarDay(each.day),
          ...series.map(({ count }) => format.number(each[count])),
        ]),
      }}
    />
  )
}

/** Both included; calendar days have no zone. */
function daysFrom(first: string, last: string): string[] {
  const days: string[] = []
  for (let at = Date.parse(first); at <= Date.parse(last); at += 86_400_000)
    days.push(new Date(at).toISOString().slice(0, 10))
  return days
}

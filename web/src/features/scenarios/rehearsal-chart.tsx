import { BarChart } from '@mantine/charts'
import type { Rehearsal } from '@okaeri/contract/scenarios/rehearsal'
import { useFormat } from '../../app/format.ts'
import { useWords } from '../../app/i18n.ts'
import { ChartCard } from '../../ui/report-page.tsx'

/** Mails per day. Days without any are in the chart, but not in the table. */
export default function RehearsalChart({ rehearsal }: { rehearsal: Rehearsal }) {
  const t = useWords('rehearsal')
  const format = useFormat()
  const { mails_per_day: perDay } = rehearsal
  const first = perDay.at(0)
  const last = perDay.at(-1)
  const byDay = new Map(perDay.map(({ day, mails }) => [day, mails]))
  const data = first && last ? daysFrom(first.day, last.day).map((day) => ({ day, mails: byDay.get(day) ?? 0 })) : []
  return (
    <ChartCard
      title={t('perDay')}
      empty={data.length === 0 && t('noMails')}
      chart={
        <BarChart
          h={280}
          data={data.map(({ day, mails }) => ({ day: format.calendarDay(day), [t('mails')]: mails }))}
          dataKey="day"
          maxBarWidth={24}
          series={[{ name: t('mails'), color: 'teal.6' }]}
          valueFormatter={(value) => format.number(value)}
          yAxisProps={{ width: 48, allowDecimals: false }}
          xAxisProps={{ minTickGap: 48 }}
        />
      }
      table={{
        head: [t('day'), t('mails')],
        rows: perDay.map(({ day, mails }) => [format.calendarDay(day), format.number(mails)]),
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

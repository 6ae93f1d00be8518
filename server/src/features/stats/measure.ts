import { ChannelName } from '@okaeri/contract/deliveries/delivery'
import type { ChannelFigures } from '@okaeri/contract/reports/figures'

export const measures = [
  'sent',
  'opened',
  'clicked',
  'machine_opened',
  'machine_clicked',
  'unsubscribed',
  'bounced',
  'complained',
  'orders',
  'revenue',
] as const
export type Measure = (typeof measures)[number]
/** Counts; `revenue` in minor units of the merchant's currency. */
export type Results = Record<Measure, number>

/** All channels together. Opens, by people and machines, are only of mail: a click counts as an open, but LINE reports no other opens. */
export type ProgramResults = Results & { mails_sent: number }
export type ChannelResults = Results & { channel: ChannelName }

/** The sum of several rows, each of one channel. */
export function sumOfChannels(rows: readonly ChannelResults[]): ProgramResults {
  const sum = { ...noResults(), mails_sent: 0 }
  for (const row of rows) {
    const isMail = row.channel === 'email'
    for (const measure of measures) if (isMail || !ofMailAlone.has(measure)) sum[measure] += row[measure]
    if (isMail) sum.mails_sent += row.sent
  }
  return sum
}
const ofMailAlone: ReadonlySet<Measure> = new Set(['opened', 'machine_opened'])

/** The results by channel; empty if mail is the only one. */
export function byChannel(rows: readonly ChannelResults[]): ChannelFigures[] {
  const counted = rows.filter((row) => measures.some((measure) => row[measure] !== 0))
  if (counted.every(({ channel }) => channel === 'email')) return []
  return ChannelName.options.flatMap((channel) => {
    const those = counted.filter((row) => row.channel === channel)
    if (those.length === 0) return []
    const { sent, clicked, opened, orders, revenue } = sumOfChannels(those)
    return [
      {
        channel,
        sent,
        clicked,
        open_rate: channel === 'email' ? rate(opened, sent) : null,
        click_rate: rate(clicked, sent),
        orders,
        revenue,
      },
    ]
  })
}

export const noResults = (): Results => ({
  sent: 0,
  opened: 0,
  clicked: 0,
  machine_opened: 0,
  machine_clicked: 0,
  unsubscribed: 0,
  bounced: 0,
  complained: 0,
  orders: 0,
  revenue: 0,
})

/** Spec §9: counted divided by sent times 100; percent with one decimal, 0 when nothing was sent. */
export const rate = (count: number, sent: number): number => (sent > 0 ? Math.round((count / sent) * 1000) / 10 : 0)

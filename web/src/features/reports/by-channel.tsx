import { Text } from '@mantine/core'
import type { ChannelFigures } from '@okaeri/contract/reports/figures'
import { useFormat } from '../../app/format.ts'
import { useWords } from '../../app/i18n.ts'
import { Records } from '../../ui/pages/records.tsx'

interface ByChannelProps {
  channels: readonly ChannelFigures[]
  currency: string
}

/** What came of each channel. Their sums stand above. */
export function ByChannel({ channels, currency }: ByChannelProps) {
  const t = useWords('reports')
  const format = useFormat()
  const rate = (value: number, sent: number) => (sent === 0 ? '—' : format.percent(value))
  return (
    <>
      <Records
        dense
        records={channels.map((row) => ({ ...row, id: row.channel }))}
        rowName={({ channel }) => t(`channels.${channel}`)}
        columns={[
          { accessor: 'channel', title: t('channel'), render: ({ channel }) => t(`channels.${channel}`) },
          {
            accessor: 'sent',
            title: t('sent'),
            width: 100,
            textAlign: 'right',
            render: ({ sent }) => format.number(sent),
          },
          {
            accessor: 'open_rate',
            title: t('openRate'),
            width: 110,
            textAlign: 'right',
            render: ({ open_rate, sent }) => (open_rate === null ? '—' : rate(open_rate, sent)),
          },
          {
            accessor: 'click_rate',
            title: t('clickRate'),
            width: 110,
            textAlign: 'right',
            render: ({ click_rate, sent }) => rate(click_rate, sent),
          },
          {
            accessor: 'orders',
            title: t('orders'),
            phone: 'hide',
            width: 90,
            textAlign: 'right',
            render: ({ orders }) => format.number(orders),
          },
          {
            accessor: 'revenue',
            title: t('revenue'),
            width: 140,
            textAlign: 'right',
            render: ({ revenue }) => format.money({ amount: revenue, currency }),
          },
        ]}
      />
      <Text size="xs" c="dimmed" mt="xs">
        {t('lineOpens')}
      </Text>
    </>
  )
}

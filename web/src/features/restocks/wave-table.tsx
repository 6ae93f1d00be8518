import { Stack, Text } from '@mantine/core'
import type { RestockWave } from '@okaeri/contract/restocks/waves'
import { IconUsers } from '@tabler/icons-react'
import { useFormat } from '../../app/format.ts'
import { useWords } from '../../app/i18n.ts'
import { type Column, Records } from '../../ui/pages/records.tsx'
import { variantName } from './variant-name.ts'

type Row = RestockWave & { id: string }

/** Who was notified when, the stock then, and what they bought. */
export function WaveTable({
  waves,
  onPeople,
}: {
  waves: readonly RestockWave[]
  onPeople: (wave: RestockWave) => void
}) {
  const t = useWords('restocks')
  const format = useFormat()
  const people = (total: number): string => t('people', { total: format.number(total), count: total })
  const asides = (wave: RestockWave): string[] => [
    ...(wave.under_way > 0 ? [t('waves.underWay', { total: format.number(wave.under_way) })] : []),
    ...(wave.bought_before > 0 ? [t('waves.boughtBefore', { total: format.number(wave.bought_before) })] : []),
    ...(wave.unreachable > 0 ? [t('waves.unreachable', { total: format.number(wave.unreachable) })] : []),
  ]
  const nameOf = ({ store_variant_id: id, variant }: RestockWave): string | null =>
    id === null ? t('wholeProduct') : variantName(id, variant)
  const isOfVariants = waves.some((wave) => nameOf(wave) !== null)
  const columns: Column<Row>[] = [
    { accessor: 'at', title: t('waves.at'), phone: 'title', width: 180, render: ({ at }) => format.dateTime(at) },
    // For a product without variants there is nothing to show.
    ...(isOfVariants
      ? [{ accessor: 'variant' as const, title: t('waves.variant'), render: (wave: Row) => nameOf(wave) ?? '—' }]
      : []),
    {
      accessor: 'stock',
      title: t('waves.stock'),
      width: 120,
      // A card has room for four; what was bought is more to the merchant.
      ...(isOfVariants && { phone: 'hide' as const }),
      render: ({ stock }) => (stock === null ? t('next.stockAlways') : format.number(stock)),
    },
    {
      accessor: 'sent',
      title: t('waves.sent'),
      width: 200,
      render: (wave) => (
        <>
          {people(wave.sent)}
          {asides(wave).map((text) => (
            <Text key={text} size="xs" c="dimmed">
              {text}
            </Text>
          ))}
        </>
      ),
    },
    {
      accessor: 'buyers',
      title: t('waves.buyers'),
      width: 110,
      render: ({ buyers }) => people(buyers),
    },
    { accessor: 'revenue', title: t('waves.revenue'), width: 130, render: ({ revenue }) => format.money(revenue) },
  ]
  if (waves.length === 0) return <Text c="dimmed">{t('waves.none')}</Text>
  return (
    <Stack gap="xs">
      <Records<Row>
        records={waves.map((wave) => ({ ...wave, id: `${wave.return_id} ${wave.number}` }))}
        columns={columns}
        rowName={({ at }) => t('waves.peopleTitle', { time: format.dateTime(at) })}
        rowActions={(wave) => [
          { label: t('waves.people'), icon: <IconUsers size={16} aria-hidden />, onClick: () => onPeople(wave) },
        ]}
      />
      <Text size="xs" c="dimmed">
        {t('waves.howCounted')}
      </Text>
    </Stack>
  )
}

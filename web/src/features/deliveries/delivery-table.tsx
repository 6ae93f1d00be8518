import { Text } from '@mantine/core'
import type { DeliveryView } from '@okaeri/contract/deliveries/delivery'
import type { Page } from '@okaeri/contract/paging'
import type { UseQueryResult } from '@tanstack/react-query'
import { useWords } from '../../app/i18n.ts'
import { Records } from '../../ui/pages/records.tsx'
import { Loading, LoadFailed } from '../../ui/states.tsx'
import { type DeliveryColumn, useDeliveryColumns } from './delivery-columns.tsx'

interface DeliveryTableProps {
  query: UseQueryResult<Page<DeliveryView>>
  columns: readonly DeliveryColumn[]
  page: number
  size: number
  onPage: (page: number) => void
  onSize: (size: number) => void
  /** More are not counted one by one. */
  countedTo?: number
  /** Something filters the rows. */
  narrowed?: boolean
  /** Said where nothing was sent by another way than mail. */
  empty?: string
}

/** Messages, one per person, each with its state and reason in words. */
export function DeliveryTable({
  query,
  columns,
  page,
  size,
  onPage,
  onSize,
  countedTo,
  narrowed,
  empty,
}: DeliveryTableProps) {
  const t = useWords('deliveries')
  const all = useDeliveryColumns()
  const { data } = query
  if (!data) {
    return query.error ? <LoadFailed error={query.error} retry={() => void query.refetch()} /> : <Loading lines={5} />
  }
  if (data.total === 0) {
    return (
      <Text c="dimmed" size="sm" py="md">
        {narrowed ? t('noMatch') : (empty ?? t('empty'))}
      </Text>
    )
  }

  return (
    <Records<DeliveryView>
      records={data.data}
      columns={columns.map((name) => all[name])}
      rowName={(row) => row.customer_name || row.recipient || '—'}
      refreshing={query.isPlaceholderData}
      paging={{ page, size, total: data.total, onPage, onSize, ...(countedTo !== undefined && { countedTo }) }}
      dense
    />
  )
}

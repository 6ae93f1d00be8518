import { Button, Group, Text } from '@mantine/core'
import type { CustomerOrder } from '@okaeri/contract/customers/customer'
import { listCustomerOrders } from '@okaeri/contract/customers/routes'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { call } from '../../api/call.ts'
import { useFormat } from '../../app/format.ts'
import { useWords } from '../../app/i18n.ts'
import { Card } from '../../ui/pages/detail-page.tsx'
import { LoadFailed, Loading } from '../../ui/states.tsx'
import { StatusBadge, type Tone } from '../../ui/status-badge.tsx'
import classes from './customer-history.module.css'

export const DimmedText = ({ children }: { children: ReactNode }) => (
  <Text size="sm" c="dimmed">
    {children}
  </Text>
)

/** The platform's payment states with words here; others are shown unchanged. */
const payments = {
  paid: 'success',
  pending: 'warning',
  authorized: 'info',
  partially_paid: 'warning',
  partially_refunded: 'neutral',
  refunded: 'neutral',
  voided: 'neutral',
  expired: 'neutral',
} as const satisfies Record<string, Tone>
const isPayment = (status: string): status is keyof typeof payments => Object.hasOwn(payments, status)

function PaymentBadge({ order }: { order: CustomerOrder }) {
  const t = useWords('customers')
  if (order.cancelled_at) return <StatusBadge tone="danger">{t('cancelled')}</StatusBadge>
  const status = order.financial_status?.toLowerCase()
  if (!status) return null
  return isPayment(status) ? (
    <StatusBadge tone={payments[status]}>{t(`payment.${status}`)}</StatusBadge>
  ) : (
    <StatusBadge tone="neutral">{status}</StatusBadge>
  )
}

const FIRST_ORDERS = 5
const MORE_ORDERS = 20

/** The newest few; more behind a button. */
export function OrderHistory({ customerId }: { customerId: string }) {
  const t = useWords('customers')
  const format = useFormat()
  const query = useInfiniteQuery({
    queryKey: [listCustomerOrders.area, listCustomerOrders.path, customerId],
    queryFn: ({ pageParam, signal }) =>
      call(listCustomerOrders, {
        params: { id: customerId },
        query: { limit: pageParam === 0 ? FIRST_ORDERS : MORE_ORDERS, offset: pageParam },
        signal,
      }),
    initialPageParam: 0,
    getNextPageParam: (last) => (last.offset + last.data.length < last.total ? last.offset + last.data.length : null),
  })
  const orders = query.data?.pages.flatMap(({ data }) => data) ?? []
  const left = (query.data?.pages.at(-1)?.total ?? 0) - orders.length
  return (
    <Card title={t('orderHistory')}>
      {query.error && !query.data ? (
        <LoadFailed error={query.error} retry={() => void query.refetch()} />
      ) : query.isPending ? (
        <Loading lines={3} />
      ) : orders.length === 0 ? (
        <DimmedText>{t('noOrders')}</DimmedText>
      ) : (
        <ul className={classes.orders}>
          {orders.map((order) => (
            <li key={order.id}>
              <Group justify="space-between" gap="xs">
                <Group gap="xs">
                  <Text span fw={600}>
                    {order.name}
                  </Text>
                  <PaymentBadge order={order} />
                  <Text span size="sm" c="dimmed">
                    {format.dateTime(order.processed_at)}
                  </Text>
                </Group>
                <Text span fw={600} className="numbers">
                  {format.money(order.total)}
                </Text>
              </Group>
              {order.lines.map((line, at) => (
                <Group key={at} justify="space-between" gap="sm" wrap="nowrap" align="flex-start">
                  <Text span size="sm">
                    {t('quantity', { title: line.title, count: line.quantity })}
                  </Text>
                  <Text span size="sm" c="dimmed" className="numbers">
                    {format.money(line.total)}
                  </Text>
                </Group>
              ))}
            </li>
          ))}
        </ul>
      )}
      {query.hasNextPage && (
        <div>
          <Button
            variant="default"
            size="compact-sm"
            loading={query.isFetchingNextPage}
            onClick={() => void query.fetchNextPage()}
          >
            {t('moreOrders', { total: format.number(left) })}
          </Button>
        </div>
      )}
    </Card>
  )
}

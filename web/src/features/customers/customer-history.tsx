import { Button, Group, Text } from '@mantine/core'
import type { ConsentChange, CustomerOrder } from '@okaeri/contract/customers/customer'
import type { DeliveryView } from '@okaeri/contract/deliveries/delivery'
import { type ReactNode, useState } from 'react'
import { useFormat } from '../../app/format.ts'
import { useWords } from '../../app/i18n.ts'
import { paths } from '../../app/paths.ts'
import { Card } from '../../ui/detail-page.tsx'
import { TextLink } from '../../ui/links.tsx'
import { StatusBadge, type Tone } from '../../ui/status-badge.tsx'
import { deliveryTones, useReasonText } from '../deliveries/delivery-words.ts'
import classes from './customer-history.module.css'

const Nothing = ({ children }: { children: ReactNode }) => (
  <Text size="sm" c="dimmed">
    {children}
  </Text>
)

/** How the platform calls the states of payment that have words here; others are shown as they come. */
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

/** More are a click away. */
const FIRST_ORDERS = 5

export function OrderHistory({ orders }: { orders: readonly CustomerOrder[] }) {
  const t = useWords('customers')
  const [all, setAll] = useState(false)
  const format = useFormat()
  return (
    <Card title={t('orderHistory')}>
      {orders.length === 0 ? (
        <Nothing>{t('noOrders')}</Nothing>
      ) : (
        <ul className={classes.orders}>
          {orders.slice(0, all ? undefined : FIRST_ORDERS).map((order) => (
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
      {!all && orders.length > FIRST_ORDERS && (
        <div>
          <Button variant="default" size="compact-sm" onClick={() => setAll(true)}>
            {t('moreOrders', { total: format.number(orders.length - FIRST_ORDERS) })}
          </Button>
        </div>
      )}
    </Card>
  )
}

/** What was sent and what was not, newest first, each with its state and the reason in words. */
export function MessageHistory({ messages }: { messages: readonly DeliveryView[] }) {
  const t = useWords('customers')
  const words = useWords('deliveries')
  return (
    <Card title={t('messages')}>
      {messages.length === 0 ? (
        <Nothing>{t('noMessages')}</Nothing>
      ) : (
        <>
          <Nothing>{t('messagesHelp')}</Nothing>
          <ul className={classes.timeline}>
            {messages.map((message) => (
              <li key={message.id} data-tone={deliveryTones[message.status]}>
                <Group gap="xs">
                  <StatusBadge tone={deliveryTones[message.status]}>{words(`status.${message.status}`)}</StatusBadge>
                  {message.test_mode && <StatusBadge tone="warning">{t('test')}</StatusBadge>}
                  <Text span fw={600} size="sm">
                    {message.subject ?? message.campaign_name ?? words(`kind.${message.kind}`)}
                  </Text>
                </Group>
                <MessageFacts message={message} />
              </li>
            ))}
          </ul>
        </>
      )}
    </Card>
  )
}

function MessageFacts({ message }: { message: DeliveryView }) {
  const t = useWords('customers')
  const words = useWords('deliveries')
  const format = useFormat()
  const reasonText = useReasonText()
  const reason = reasonText(message)
  const times = [
    message.sent_at
      ? t('sentAt', { time: format.dateTime(message.sent_at) })
      : t('preparedAt', { time: format.dateTime(message.created_at) }),
    message.opened_at && t('openedAt', { time: format.dateTime(message.opened_at) }),
    message.clicked_at && t('clickedAt', { time: format.dateTime(message.clicked_at) }),
    message.bounced_at && t('bouncedAt', { time: format.dateTime(message.bounced_at) }),
  ].filter(Boolean)
  return (
    <>
      {message.status === 'uncertain' && <Text size="sm">{t('uncertain')}</Text>}
      {reason && message.status !== 'uncertain' && (
        <Text size="sm">
          {message.status === 'failed' ? t('whyFailed', { reason }) : t('whyNot', { reason })}
          {message.detail && message.status === 'failed' && (
            <Text span c="dimmed" size="xs">
              {` ${message.detail}`}
            </Text>
          )}
        </Text>
      )}
      <Text size="sm" c="dimmed">
        {message.campaign_id && message.campaign_name ? (
          <TextLink to={paths.campaign(message.campaign_id)} underline="always">
            {message.campaign_name}
          </TextLink>
        ) : (
          words(`kind.${message.kind}`)
        )}
        {` · ${times.join(' · ')}`}
      </Text>
    </>
  )
}

const sources = [
  'store',
  'sync',
  'unsubscribe_link',
  'one_click',
  'subscribe_link',
  'storefront',
  'member',
  'import',
] as const
const isSource = (source: string): source is (typeof sources)[number] => (sources as readonly string[]).includes(source)

/** The record of permissions: from what to what, by whom, with which words before their eyes. */
export function ConsentHistory({ changes }: { changes: readonly ConsentChange[] }) {
  const t = useWords('customers')
  const format = useFormat()
  return (
    <Card title={t('consent')}>
      {changes.length === 0 ? (
        <Nothing>{t('noConsent')}</Nothing>
      ) : (
        <ul className={classes.timeline}>
          {changes.map((change) => (
            <li key={change.id} data-tone={change.to === 'granted' ? 'success' : 'neutral'}>
              <Text size="sm" fw={600}>
                {t('changed', {
                  kind: t(change.kind === 'marketing' ? 'marketing' : 'notification'),
                  from: t(`state.${change.from}`),
                  to: t(`state.${change.to}`),
                })}
              </Text>
              {change.wording && (
                <Text size="sm">
                  {t('wording')}
                  {change.wording}
                </Text>
              )}
              <Text size="sm" c="dimmed">
                {[
                  isSource(change.source) ? t(`source.${change.source}`) : change.source,
                  change.page,
                  format.dateTime(change.occurred_at),
                ]
                  .filter(Boolean)
                  .join(' · ')}
              </Text>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

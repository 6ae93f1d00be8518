import { Group, Text } from '@mantine/core'
import type { DeliveryView } from '@okaeri/contract/deliveries/delivery'
import { languageNames } from '@okaeri/contract/locale'
import { useFormat } from '../../app/format.ts'
import { useWords } from '../../app/i18n.ts'
import { paths } from '../../app/paths.ts'
import { EmailAddress } from '../../ui/email-address.tsx'
import { TextLink } from '../../ui/links.tsx'
import type { Column } from '../../ui/pages/records.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { deliveryTones, useReasonText } from './delivery-words.ts'

export type DeliveryColumn = 'person' | 'campaign' | 'status' | 'reason' | 'sent_at' | 'clicked_at' | 'reaction'

/** What the mail server answered begins with its code; other details are notes in English for who runs the installation. */
const isServersAnswer = (detail: string): boolean => /^\d{3}\b/.test(detail)

/** What tables show of messages, one for each person. */
export function useDeliveryColumns(): Record<DeliveryColumn, Column<DeliveryView>> {
  const t = useWords('deliveries')
  const format = useFormat()
  const reasonText = useReasonText()
  return {
    person: {
      accessor: 'customer_name',
      title: t('person'),
      width: 210,
      render: (row) => {
        // A test without a customer is shown by its address.
        const name = row.customer_name || (row.customer_id || row.kind === 'test' ? row.recipient : t('unknownPerson'))
        return (
          <>
            {row.customer_id ? <TextLink to={paths.customer(row.customer_id)}>{name || '—'}</TextLink> : (name ?? '—')}
            <EmailAddress
              address={
                row.recipient && row.recipient !== name
                  ? t('byChannel', { channel: t(`channel.${row.channel}`), what: row.recipient })
                  : t(`channel.${row.channel}`)
              }
            />
          </>
        )
      },
    },
    campaign: {
      accessor: 'campaign_name',
      title: t('kindLabel'),
      width: 160,
      render: (row) => (
        <>
          {row.campaign_id ? (
            <TextLink to={paths.campaign(row.campaign_id)}>{row.campaign_name}</TextLink>
          ) : row.scenario_id && row.scenario_name ? (
            <TextLink to={paths.scenario(row.scenario_id)}>{row.scenario_name}</TextLink>
          ) : (
            t(`kind.${row.kind}`)
          )}
        </>
      ),
    },
    status: {
      accessor: 'status',
      title: t('statusLabel'),
      width: 150,
      render: (row) => (
        <Group gap={6}>
          <StatusBadge tone={deliveryTones[row.status]}>{t(`status.${row.status}`)}</StatusBadge>
          {row.test_mode && <StatusBadge tone="warning">{t('test')}</StatusBadge>}
          {row.language && (
            <Text size="xs" c="dimmed">
              {languageNames[row.language]}
            </Text>
          )}
        </Group>
      ),
    },
    reason: {
      accessor: 'reason',
      title: t('reason'),
      width: 220,
      render: (row) => (
        <>
          {reasonText(row) ?? (row.status === 'uncertain' ? t('cutOff') : '—')}
          {row.detail && isServersAnswer(row.detail) && row.status !== 'sent' && (
            <Text size="xs" c="dimmed" className="numbers">
              {row.detail}
            </Text>
          )}
        </>
      ),
    },
    sent_at: {
      accessor: 'sent_at',
      title: t('sentAt'),
      width: 160,
      render: (row) => (row.sent_at ? format.dateTime(row.sent_at) : '—'),
    },
    clicked_at: {
      accessor: 'clicked_at',
      title: t('clickedAt'),
      width: 160,
      render: (row) => (row.clicked_at ? format.dateTime(row.clicked_at) : '—'),
    },
    reaction: {
      accessor: 'opened_at',
      title: t('reaction'),
      width: 220,
      render: (row) => {
        const facts = [
          row.bounced_at && `${t('bounced')} ${format.dateTime(row.bounced_at)}`,
          row.clicked_at && `${t('clicked')} ${format.dateTime(row.clicked_at)}`,
          row.opened_at && `${t('opened')} ${format.dateTime(row.opened_at)}`,
        ].filter((fact) => typeof fact === 'string')
        return facts.length === 0 ? '—' : facts.map((fact) => <div key={fact}>{fact}</div>)
      },
    },
  }
}

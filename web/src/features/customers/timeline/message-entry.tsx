import { Text } from '@mantine/core'
import type { WhyNot } from '@okaeri/contract/customers/timeline'
import { useFormat } from '../../../app/format.ts'
import { useWords } from '../../../app/i18n.ts'
import { paths } from '../../../app/paths.ts'
import { TextLink } from '../../../ui/links.tsx'
import { StatusBadge } from '../../../ui/status-badge.tsx'
import { deliveryTones, useReasonText } from '../../deliveries/delivery-words.ts'
import { isSource, pageName } from '../consent-sources.ts'
import { type Entry, EntryLayout, joined, Proof, Title } from './entry-parts.tsx'

/** An answer of a mail server begins with its code; other details are English notes for the operator. */
const isServersAnswer = (detail: string): boolean => /^\d{3}\b/.test(detail)

export function MessageEntry({ entry: { message, why_not: whyNot, at } }: { entry: Entry<'message'> }) {
  const t = useWords('customers')
  const words = useWords('deliveries')
  const format = useFormat()
  const reasonText = useReasonText()
  const reason = reasonText(message)
  const time = (key: Parameters<typeof t>[0], instant: string | null) =>
    instant && t(key, { time: format.dateTime(instant) })
  return (
    <EntryLayout
      title={
        <>
          <StatusBadge tone={deliveryTones[message.status]}>{words(`status.${message.status}`)}</StatusBadge>
          {message.test_mode && <StatusBadge tone="warning">{t('test')}</StatusBadge>}
          <Title>
            {message.subject ?? message.campaign_name ?? message.scenario_name ?? words(`kind.${message.kind}`)}
          </Title>
        </>
      }
      when={
        <>
          {message.campaign_id && message.campaign_name ? (
            <TextLink to={paths.campaign(message.campaign_id)} underline="always">
              {message.campaign_name}
            </TextLink>
          ) : message.scenario_id && message.scenario_name ? (
            <TextLink to={paths.scenario(message.scenario_id)} underline="always">
              {message.scenario_name}
            </TextLink>
          ) : (
            words(`kind.${message.kind}`)
          )}
          {` · ${joined([
            words(`channel.${message.channel}`),
            time(message.sent_at ? 'sentAt' : 'preparedAt', at),
            time('openedAt', message.opened_at),
            !message.opened_at && time('timeline.machineOpened', message.machine_opened_at),
            time('clickedAt', message.clicked_at),
            !message.clicked_at && time('timeline.machineClicked', message.machine_clicked_at),
            time('bouncedAt', message.bounced_at),
            time('timeline.unsubscribed', message.unsubscribed_at),
            time('timeline.complained', message.complained_at),
          ])}`}
        </>
      }
    >
      {message.status === 'uncertain' && <Text size="sm">{t('uncertain')}</Text>}
      {reason && message.status !== 'uncertain' && (
        <Text size="sm">{message.status === 'failed' ? t('whyFailed', { reason }) : t('whyNot', { reason })}</Text>
      )}
      {whyNot && <Why why={whyNot} />}
      {message.detail && message.status === 'failed' && isServersAnswer(message.detail) && (
        <Proof>{message.detail}</Proof>
      )}
    </EntryLayout>
  )
}

/** The deciding value at that moment. */
function Why({ why }: { why: WhyNot }) {
  const t = useWords('customers')
  const format = useFormat()
  if (why.decided_by === 'other_customer')
    return (
      <Text size="sm">
        {t('why.other')}
        <TextLink to={paths.customer(why.customer_id)} underline="always">
          {why.customer_name}
        </TextLink>
      </Text>
    )
  if (why.decided_by === 'suppression')
    return (
      <>
        <Text size="sm">
          {t(why.changed_meanwhile ? 'why.suppressionMeanwhile' : 'why.suppression', {
            time: format.dateTime(why.since),
            reason: t(`suppressions.reasons.${why.reason}`),
          })}
          {why.lifted_at && t('why.lifted', { time: format.dateTime(why.lifted_at) })}
        </Text>
        <Proof>{why.proof}</Proof>
      </>
    )
  if (why.since === null) return <Text size="sm">{t('why.never')}</Text>
  const { source } = why
  const from = source !== null && isSource(source) ? t(`source.${source}`) : (source ?? '')
  return (
    <Text size="sm">
      {t(why.changed_meanwhile ? 'why.consentMeanwhile' : 'why.consent', {
        state: t(`state.${why.state}`),
        time: format.dateTime(why.since),
        source: joined([from, pageName(why.page, t)]),
      })}
    </Text>
  )
}

import { Text } from '@mantine/core'
import type { TimelineEntry } from '@okaeri/contract/customers/timeline'
import { nodeKindNames, nodeRules } from '@okaeri/contract/scenarios/node-kinds/index'
import { useFormat } from '../../../app/format.ts'
import { useWords } from '../../../app/i18n.ts'
import { paths } from '../../../app/paths.ts'
import { TextLink } from '../../../ui/links.tsx'
import { StatusBadge } from '../../../ui/status-badge.tsx'
import { isSource, pageName } from '../consent-sources.ts'
import { ConflictText } from '../customer-conflicts.tsx'
import { type Entry, EntryLayout, joined, Proof, Title } from './entry-parts.tsx'
import { MessageEntry } from './message-entry.tsx'

/** An entry in words. */
export function EntryView({ entry }: { entry: TimelineEntry }) {
  const t = useWords('customers')
  const deliveries = useWords('deliveries')
  const format = useFormat()
  const at = format.dateTime(entry.at)
  switch (entry.kind) {
    case 'message':
      return <MessageEntry entry={entry} />
    case 'order_placed':
      return <OrderEntry entry={entry} />
    case 'consent_changed':
      return <ConsentEntry entry={entry} />
    case 'order_cancelled':
      return <EntryLayout title={t('timeline.order_cancelled', { name: entry.name })} when={at} />
    case 'checkout_started':
      return <CheckoutEntry entry={entry} />
    case 'cart_changed':
      return <CartEntry entry={entry} />
    case 'suppressed':
      return (
        <EntryLayout
          title={t('timeline.suppressed')}
          when={joined([at, entry.by && t('timeline.by', { who: entry.by })])}
        >
          <Text size="sm">{joined([t(`suppressions.reasons.${entry.reason}`), entry.detail])}</Text>
          <Proof>{entry.proof}</Proof>
        </EntryLayout>
      )
    case 'suppression_lifted':
      return (
        <EntryLayout
          title={t('timeline.suppression_lifted')}
          when={joined([at, entry.by && t('timeline.by', { who: entry.by })])}
        >
          {entry.lift_reason && <Text size="sm">{entry.lift_reason}</Text>}
        </EntryLayout>
      )
    case 'favorite_added':
    case 'favorite_removed':
      return (
        <EntryLayout
          title={t(`timeline.${entry.kind}`, { product: entry.product_title ?? t('unknownProduct') })}
          when={at}
        />
      )
    case 'product_viewed':
      return (
        <EntryLayout
          title={t('timeline.product_viewed', { product: entry.product_title ?? t('unknownProduct') })}
          when={joined([at, entry.views > 1 && t('timeline.views', { n: format.number(entry.views) })])}
        />
      )
    case 'cart_seen':
      return (
        <EntryLayout
          title={t(entry.quantity > 0 ? 'timeline.cart_seen' : 'timeline.cart_left', {
            product: entry.product_title ?? t('unknownProduct'),
          })}
          when={joined([at, entry.quantity > 1 && t('timeline.pieces', { n: format.number(entry.quantity) })])}
        />
      )
    case 'restock_requested':
    case 'restock_sent':
    case 'restock_deleted':
      return (
        <EntryLayout
          title={t(`timeline.${entry.kind}`, { product: entry.product_title ?? t('unknownProduct') })}
          when={joined([
            at,
            deliveries(`channel.${entry.channel}`),
            entry.source === 'import' && t('timeline.imported'),
          ])}
        />
      )
    case 'segment_entered':
      return (
        <EntryLayout
          title={
            <Title>
              {t('timeline.segment_entered')}
              <TextLink to={paths.segment(entry.segment_id)} underline="always">
                {entry.segment_name}
              </TextLink>
            </Title>
          }
          when={at}
        />
      )
    case 'scenario_entered':
    case 'scenario_ended':
    case 'scenario_step':
      return <ScenarioEntry entry={entry} />
    case 'change_not_used':
      return <EntryLayout title={<ConflictText conflict={entry.conflict} />} when={at} />
    case 'line_wrote':
      return (
        <EntryLayout title={t('timeline.line_wrote')} when={at}>
          <Text size="sm" style={{ whiteSpace: 'pre-line', overflowWrap: 'anywhere' }}>
            {entry.text ?? t('timeline.line_noText')}
          </Text>
        </EntryLayout>
      )
    case 'line_tapped':
      return (
        <EntryLayout title={t('timeline.line_tapped')} when={at}>
          {entry.data && (
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              {entry.data}
            </Text>
          )}
        </EntryLayout>
      )
    case 'message_opened':
    case 'message_clicked':
      return <ReactionEntry entry={entry} />
    default:
      return <EntryLayout title={t(`timeline.${entry.kind}`)} when={at} />
  }
}

function CheckoutEntry({ entry }: { entry: Entry<'checkout_started'> }) {
  const t = useWords('customers')
  const format = useFormat()
  const bought = entry.completed_at
    ? t('timeline.completed', { time: format.dateTime(entry.completed_at) })
    : t('timeline.notCompleted')
  return (
    <EntryLayout
      title={t('timeline.checkout_started', {
        items: format.number(entry.items_count),
        amount: format.money(entry.total),
      })}
      when={joined([format.dateTime(entry.at), bought])}
    />
  )
}

function CartEntry({ entry }: { entry: Entry<'cart_changed'> }) {
  const t = useWords('customers')
  const format = useFormat()
  return (
    <EntryLayout
      title={t('timeline.cart_changed', { items: format.number(entry.items_count) })}
      when={joined([
        format.dateTime(entry.at),
        entry.converted_at && t('timeline.completed', { time: format.dateTime(entry.converted_at) }),
      ])}
    />
  )
}

function OrderEntry({ entry }: { entry: Entry<'order_placed'> }) {
  const t = useWords('customers')
  const format = useFormat()
  const refunded = entry.current.amount < entry.total.amount && !entry.cancelled_at
  return (
    <EntryLayout
      title={
        <>
          <Title>{t('timeline.order_placed', { name: entry.name })}</Title>
          <Text span size="sm" fw={600} className="numbers">
            {format.money(entry.total)}
          </Text>
          {entry.cancelled_at && <StatusBadge tone="danger">{t('cancelled')}</StatusBadge>}
        </>
      }
      when={joined([
        format.dateTime(entry.at),
        refunded && t('timeline.refunded', { amount: format.money(entry.current) }),
      ])}
    >
      {entry.campaign_id && entry.campaign_name && (
        <Text size="sm">
          {t('timeline.credited')}
          <TextLink to={paths.campaign(entry.campaign_id)} underline="always">
            {entry.campaign_name}
          </TextLink>
        </Text>
      )}
      {entry.scenario_id && entry.scenario_name && (
        <Text size="sm">
          {t('timeline.credited')}
          <TextLink to={paths.scenario(entry.scenario_id)} underline="always">
            {entry.scenario_name}
          </TextLink>
        </Text>
      )}
    </EntryLayout>
  )
}

function ConsentEntry({ entry }: { entry: Entry<'consent_changed'> }) {
  const t = useWords('customers')
  const format = useFormat()
  return (
    <EntryLayout
      title={t('changed', {
        kind: t(entry.consent_kind === 'marketing' ? 'marketing' : 'notification'),
        from: t(`state.${entry.from}`),
        to: t(`state.${entry.to}`),
      })}
      when={joined([
        format.dateTime(entry.at),
        isSource(entry.source) ? t(`source.${entry.source}`) : entry.source,
        pageName(entry.page, t),
      ])}
    >
      {entry.wording && (
        <Text size="sm">
          {t('wording')}
          {entry.wording}
        </Text>
      )}
    </EntryLayout>
  )
}

function ReactionEntry({ entry }: { entry: Entry<'message_opened' | 'message_clicked'> }) {
  const t = useWords('customers')
  const format = useFormat()
  return (
    <EntryLayout
      title={
        <>
          <Title>{t(entry.channel === 'line' ? 'timeline.line_clicked' : `timeline.${entry.kind}`)}</Title>
          <StatusBadge tone={entry.verdict === 'human' ? 'success' : 'neutral'}>
            {t(`timeline.${entry.verdict ?? 'unjudged'}`)}
          </StatusBadge>
        </>
      }
      when={joined([format.dateTime(entry.at), entry.subject])}
    >
      {entry.link && <Text size="sm">{entry.link}</Text>}
    </EntryLayout>
  )
}

function ScenarioEntry({ entry }: { entry: Entry<'scenario_entered' | 'scenario_ended' | 'scenario_step'> }) {
  const t = useWords('customers')
  const words = useWords('scenarios')
  const format = useFormat()
  const failed = entry.kind === 'scenario_step' && entry.outcome === 'failed'
  const what =
    entry.kind !== 'scenario_step'
      ? t(`timeline.${entry.kind}`)
      : failed
        ? t('timeline.scenario_failed')
        : (timelineLabelOf(entry.node_kind)?.[format.language] ?? t('timeline.scenario_step'))
  const detail =
    entry.kind === 'scenario_step'
      ? joined([entry.text, entry.code])
      : entry.kind === 'scenario_ended' && entry.reason
        ? words(`execution.end.${entry.reason}`)
        : ''
  return (
    <EntryLayout
      title={
        <Title>
          {what}
          <TextLink to={paths.execution(entry.execution_id)} underline="always">
            {entry.scenario_name}
          </TextLink>
        </Title>
      }
      when={format.dateTime(entry.at)}
    >
      {detail && <Text size="sm">{detail}</Text>}
    </EntryLayout>
  )
}
const timelineLabelOf = (name: string) => {
  const kind = nodeKindNames.find((each) => each === name)
  return kind && nodeRules(kind).timelineLabel
}

import { Button, Group, SegmentedControl, Select, Text, VisuallyHidden } from '@mantine/core'
import { getTimeline } from '@okaeri/contract/customers/routes'
import { type TimelineEntry, type TimelinePart, timelineParts, type WhyNot } from '@okaeri/contract/customers/timeline'
import { nodeKindNames, nodeRules } from '@okaeri/contract/scenarios/node-kinds/index'
import { useInfiniteQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { call } from '../../api/call.ts'
import { useFormat } from '../../app/format.ts'
import { useWords } from '../../app/i18n.ts'
import { paths } from '../../app/paths.ts'
import { Card } from '../../ui/pages/detail-page.tsx'
import { TextLink } from '../../ui/links.tsx'
import { LoadFailed, Loading } from '../../ui/states.tsx'
import { StatusBadge, type Tone } from '../../ui/status-badge.tsx'
import { deliveryTones, useReasonText } from '../deliveries/delivery-words.ts'
import { ConflictText } from './customer-conflicts.tsx'
import { isSource, pageName } from './consent-sources.ts'
import classes from './customer-history.module.css'

const PAGE = 30

type Entry<K extends TimelineEntry['kind']> = Extract<TimelineEntry, { kind: K }>

/** Everything that happened with a customer, newest first; more behind a button. */
export function CustomerTimeline({ customerId }: { customerId: string }) {
  const t = useWords('customers')
  const [part, setPart] = useState<TimelinePart | 'all'>('all')
  const query = useInfiniteQuery({
    queryKey: [getTimeline.area, getTimeline.path, customerId, part],
    queryFn: ({ pageParam, signal }) =>
      call(getTimeline, {
        params: { id: customerId },
        query: { limit: PAGE, ...(pageParam && { cursor: pageParam }), ...(part !== 'all' && { part }) },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: (last) => last.next,
  })
  const parts = (['all', ...timelineParts] as const).map((value) => ({ value, label: t(`timeline.parts.${value}`) }))
  const choose = (value: string | null) => value && setPart(value as TimelinePart | 'all')
  const entries = query.data?.pages.flatMap(({ data }) => data) ?? []
  return (
    <Card
      title={t('timeline.title')}
      action={
        <>
          <SegmentedControl
            size="xs"
            visibleFrom="sm"
            aria-label={t('timeline.part')}
            value={part}
            data={parts}
            onChange={choose}
          />
          <Select
            hiddenFrom="sm"
            w="100%"
            aria-label={t('timeline.part')}
            value={part}
            data={parts}
            allowDeselect={false}
            onChange={choose}
          />
        </>
      }
    >
      <Text size="sm" c="dimmed">
        {t('timeline.help')}
      </Text>
      {query.error && !query.data ? (
        <LoadFailed error={query.error} retry={() => void query.refetch()} />
      ) : query.isPending ? (
        <Loading lines={6} />
      ) : entries.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('timeline.empty')}
        </Text>
      ) : (
        <ol className={classes.timeline}>
          {entries.map((entry) => (
            <li key={entry.id} data-tone={toneOf(entry)}>
              <OneEntry entry={entry} />
            </li>
          ))}
        </ol>
      )}
      {query.hasNextPage && (
        <div>
          <Button variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            {t('timeline.more')}
          </Button>
        </div>
      )}
    </Card>
  )
}

function toneOf(entry: TimelineEntry): Tone {
  switch (entry.kind) {
    case 'message':
      return deliveryTones[entry.message.status]
    case 'order_placed':
    case 'restock_sent':
    case 'line_followed':
    case 'line_linked':
      return 'success'
    case 'consent_changed':
      return entry.to === 'granted' ? 'success' : entry.to === 'withdrawn' ? 'danger' : 'neutral'
    case 'suppressed':
    case 'order_cancelled':
    case 'line_blocked':
      return 'danger'
    case 'change_not_used':
      return 'warning'
    case 'favorite_added':
    case 'product_viewed':
    case 'cart_seen':
    case 'restock_requested':
    case 'segment_entered':
    case 'scenario_entered':
      return 'info'
    case 'scenario_step':
      return entry.outcome === 'failed' ? 'danger' : 'info'
    default:
      return 'neutral'
  }
}

/** The title of an entry, and below it the time and details. */
const Shown = ({ title, when, children }: { title: ReactNode; when: ReactNode; children?: ReactNode }) => (
  <>
    <Group gap="xs">{typeof title === 'string' ? <Title>{title}</Title> : title}</Group>
    {children}
    <Text size="sm" c="dimmed">
      {when}
    </Text>
  </>
)
const Title = ({ children }: { children: ReactNode }) => (
  <Text span size="sm" fw={600}>
    {children}
  </Text>
)
const joined = (parts: readonly (string | null | false | undefined)[]): string => parts.filter(Boolean).join(' · ')

function OneEntry({ entry }: { entry: TimelineEntry }) {
  const t = useWords('customers')
  const deliveries = useWords('deliveries')
  const format = useFormat()
  const at = format.dateTime(entry.at)
  switch (entry.kind) {
    case 'message':
      return <Message entry={entry} />
    case 'order_placed':
      return <Order entry={entry} />
    case 'consent_changed':
      return <Consent entry={entry} />
    case 'order_cancelled':
      return <Shown title={t('timeline.order_cancelled', { name: entry.name })} when={at} />
    case 'checkout_started':
      return <Checkout entry={entry} />
    case 'cart_changed':
      return <Cart entry={entry} />
    case 'suppressed':
      return (
        <Shown title={t('timeline.suppressed')} when={joined([at, entry.by && t('timeline.by', { who: entry.by })])}>
          <Text size="sm">{joined([t(`suppressions.reasons.${entry.reason}`), entry.detail])}</Text>
          <Proof>{entry.proof}</Proof>
        </Shown>
      )
    case 'suppression_lifted':
      return (
        <Shown
          title={t('timeline.suppression_lifted')}
          when={joined([at, entry.by && t('timeline.by', { who: entry.by })])}
        >
          {entry.lift_reason && <Text size="sm">{entry.lift_reason}</Text>}
        </Shown>
      )
    case 'favorite_added':
    case 'favorite_removed':
      return (
        <Shown title={t(`timeline.${entry.kind}`, { product: entry.product_title ?? t('unknownProduct') })} when={at} />
      )
    case 'product_viewed':
      return (
        <Shown
          title={t('timeline.product_viewed', { product: entry.product_title ?? t('unknownProduct') })}
          when={joined([at, entry.views > 1 && t('timeline.views', { n: format.number(entry.views) })])}
        />
      )
    case 'cart_seen':
      return (
        <Shown
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
        <Shown
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
        <Shown
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
      return <Scenario entry={entry} />
    case 'change_not_used':
      return <Shown title={<ConflictText conflict={entry.conflict} />} when={at} />
    case 'line_wrote':
      return (
        <Shown title={t('timeline.line_wrote')} when={at}>
          <Text size="sm" style={{ whiteSpace: 'pre-line', overflowWrap: 'anywhere' }}>
            {entry.text ?? t('timeline.line_noText')}
          </Text>
        </Shown>
      )
    case 'line_tapped':
      return (
        <Shown title={t('timeline.line_tapped')} when={at}>
          {entry.data && (
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              {entry.data}
            </Text>
          )}
        </Shown>
      )
    case 'message_opened':
    case 'message_clicked':
      return <Reaction entry={entry} />
    default:
      return <Shown title={t(`timeline.${entry.kind}`)} when={at} />
  }
}

function Checkout({ entry }: { entry: Entry<'checkout_started'> }) {
  const t = useWords('customers')
  const format = useFormat()
  const bought = entry.completed_at
    ? t('timeline.completed', { time: format.dateTime(entry.completed_at) })
    : t('timeline.notCompleted')
  return (
    <Shown
      title={t('timeline.checkout_started', {
        items: format.number(entry.items_count),
        amount: format.money(entry.total),
      })}
      when={joined([format.dateTime(entry.at), bought])}
    />
  )
}

function Cart({ entry }: { entry: Entry<'cart_changed'> }) {
  const t = useWords('customers')
  const format = useFormat()
  return (
    <Shown
      title={t('timeline.cart_changed', { items: format.number(entry.items_count) })}
      when={joined([
        format.dateTime(entry.at),
        entry.converted_at && t('timeline.completed', { time: format.dateTime(entry.converted_at) }),
      ])}
    />
  )
}

function Order({ entry }: { entry: Entry<'order_placed'> }) {
  const t = useWords('customers')
  const format = useFormat()
  const refunded = entry.current.amount < entry.total.amount && !entry.cancelled_at
  return (
    <Shown
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
    </Shown>
  )
}

function Consent({ entry }: { entry: Entry<'consent_changed'> }) {
  const t = useWords('customers')
  const format = useFormat()
  return (
    <Shown
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
    </Shown>
  )
}

function Reaction({ entry }: { entry: Entry<'message_opened' | 'message_clicked'> }) {
  const t = useWords('customers')
  const format = useFormat()
  return (
    <Shown
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
    </Shown>
  )
}

/** An answer of a mail server begins with its code; other details are English notes for the operator. */
const isServersAnswer = (detail: string): boolean => /^\d{3}\b/.test(detail)

function Scenario({ entry }: { entry: Entry<'scenario_entered' | 'scenario_ended' | 'scenario_step'> }) {
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
    <Shown
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
    </Shown>
  )
}
const timelineLabelOf = (name: string) => {
  const kind = nodeKindNames.find((each) => each === name)
  return kind && nodeRules(kind).timelineLabel
}

function Message({ entry: { message, why_not: whyNot, at } }: { entry: Entry<'message'> }) {
  const t = useWords('customers')
  const words = useWords('deliveries')
  const format = useFormat()
  const reasonText = useReasonText()
  const reason = reasonText(message)
  const time = (key: Parameters<typeof t>[0], instant: string | null) =>
    instant && t(key, { time: format.dateTime(instant) })
  return (
    <Shown
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
    </Shown>
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

/** A server's message, unchanged. */
function Proof({ children }: { children: string | null }) {
  const t = useWords('customers')
  if (!children) return null
  return (
    <Text size="xs" c="dimmed" className={classes.proof}>
      <VisuallyHidden>{t('why.proof')}</VisuallyHidden>
      {children}
    </Text>
  )
}

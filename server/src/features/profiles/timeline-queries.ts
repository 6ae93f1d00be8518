import type { ConsentState, SuppressionReason } from '@okaeri/contract/customers/customer'
import type { TimelinePart } from '@okaeri/contract/customers/timeline'
import type { ChannelName } from '@okaeri/contract/deliveries/delivery'
import { nodeKindNames, nodeRules } from '@okaeri/contract/scenarios/node-kinds/index'
import { type RawBuilder, sql } from 'kysely'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { deliveryTitle } from '../deliveries/index.ts'

const shownKinds = nodeKindNames.filter((kind) => nodeRules(kind).timelineLabel)

export interface TimelinePlace {
  /** As PostgreSQL writes an instant, to the microsecond. */
  at: string
  id: string
}
export interface TimelineRow {
  id: string
  at: Date
  /** `at` to the microsecond. */
  exact: string
  kind: string
  facts: Record<string, unknown>
}

/** One kind of timeline entry. `tables` may contain a where clause on more than the customer. */
interface Source {
  part: Exclude<TimelinePart, 'emails' | 'line'> | null
  /** Where the rows themselves say it, of messages alone. */
  isOfLine?: true
  kind: string
  id: RawBuilder<unknown>
  at: RawBuilder<unknown>
  from: RawBuilder<unknown>
  where: RawBuilder<unknown>
  facts: RawBuilder<unknown>
}

/** Whose entries, and what all sources say of them. */
interface Whose {
  scope: MerchantScope
  m: RawBuilder<unknown>
  customerId: string
  emailKey: string | null
  /** Rows of this table are of the customer. */
  mine(table: string): RawBuilder<unknown>
  /** Of messages, those by one channel alone where it is asked for. */
  ofChannel: RawBuilder<unknown>
}

function ofOrders({ m, mine }: Whose): Source[] {
  const orders = (kind: string, at: string, more: RawBuilder<unknown>): Source => ({
    part: 'orders',
    kind,
    id: sql.ref('o.id'),
    at: sql.ref(`o.${at}`),
    from: sql`orders o
      left join conversions v on v.merchant_id = ${m} and v.order_id = o.id and v.withdrawn_at is null
      left join campaigns k on k.merchant_id = ${m} and k.id = v.campaign_id
      left join scenarios y on y.merchant_id = ${m} and y.id = v.scenario_id`,
    where: sql`${mine('o')} and o.deleted_at is null and ${more}`,
    facts: sql`jsonb_build_object('order_id', o.id, 'name', o.name, 'total_amount', o.total_amount, 'current_amount', o.current_amount,
      'currency', o.currency, 'financial_status', o.financial_status, 'cancelled_at', o.cancelled_at, 'campaign_id', k.id,
      'campaign_name', k.name, 'scenario_id', y.id, 'scenario_name', y.name)`,
  })
  return [
    orders('order_placed', 'processed_at', sql`true`),
    orders('order_cancelled', 'cancelled_at', sql`o.cancelled_at is not null`),
    {
      part: 'orders',
      kind: 'checkout_started',
      id: sql.ref('x.id'),
      at: sql.ref('x.created_at'),
      from: sql`checkouts x`,
      where: mine('x'),
      facts: sql`jsonb_build_object('total_amount', x.total_amount, 'currency', x.currency, 'completed_at', x.completed_at,
        'items_count', (select coalesce(sum((line->>'quantity')::int), 0) from jsonb_array_elements(x.lines) line))`,
    },
    {
      part: 'orders',
      kind: 'cart_changed',
      id: sql.ref('x.id'),
      at: sql.ref('x.store_updated_at'),
      from: sql`carts x`,
      where: mine('x'),
      facts: sql`jsonb_build_object('items_count', x.items_count, 'converted_at', x.converted_at)`,
    },
  ]
}

function ofPermissions({ m, mine, emailKey }: Whose): Source[] {
  const suppressions = (kind: string, at: string, by: string): Source => ({
    part: 'permissions',
    kind,
    id: sql.ref('s.id'),
    at: sql.ref(`s.${at}`),
    from: sql`suppressions s`,
    where: sql`s.merchant_id = ${m} and s.channel = 'email' and s.address_key = ${emailKey} and ${sql.ref(`s.${at}`)} is not null`,
    facts: sql`jsonb_build_object('reason', s.reason, 'detail', s.detail, 'proof', s.proof, 'lift_reason', s.lift_reason,
      'by', (select e.email from members e where e.merchant_id = ${m} and e.id::text = ${sql.ref(`s.${by}`)}::text))`,
  })
  return [
    {
      part: 'permissions',
      kind: 'consent_changed',
      id: sql.ref('x.id'),
      at: sql.ref('x.occurred_at'),
      from: sql`consent_changes x`,
      where: mine('x'),
      facts: sql`jsonb_build_object('consent_kind', x.kind, 'from', x.from_state, 'to', x.to_state, 'source', x.source,
        'wording', x.wording, 'page', x.page)`,
    },
    ...(emailKey === null
      ? []
      : [
          suppressions('suppressed', 'created_at', 'added_by'),
          suppressions('suppression_lifted', 'lifted_at', 'lifted_by'),
        ]),
  ]
}

function ofInterest({ m, mine }: Whose): Source[] {
  const favorites = (kind: string, at: string): Source => ({
    part: 'interest',
    kind,
    id: sql.ref('f.id'),
    at: sql.ref(`f.${at}`),
    from: sql`favorites f left join products p on p.merchant_id = ${m} and p.store_product_id = f.store_product_id`,
    where: sql`${mine('f')} and ${sql.ref(`f.${at}`)} is not null`,
    facts: sql`jsonb_build_object('product_title', p.title)`,
  })
  const restocks = (kind: string, at: string): Source => ({
    part: 'interest',
    kind,
    id: sql.ref('r.id'),
    at: sql.ref(`r.${at}`),
    from: sql`restock_requests r left join products p on p.merchant_id = ${m} and p.store_product_id = r.store_product_id`,
    where: sql`${mine('r')} and ${sql.ref(`r.${at}`)} is not null`,
    facts: sql`jsonb_build_object('product_title', p.title, 'channel', r.channel, 'source', r.source)`,
  })
  const behavior = (kind: string, { table, at, count }: Record<'table' | 'at' | 'count', string>): Source => ({
    part: 'interest',
    kind,
    // A row for each product.
    id: sql`md5(b.customer_id::text || b.store_product_id)::uuid`,
    at: sql.ref(`b.${at}`),
    from: sql`${sql.table(table)} b left join products p on p.merchant_id = ${m} and p.store_product_id = b.store_product_id`,
    where: mine('b'),
    facts: sql`jsonb_build_object('product_title', p.title, ${count}::text, ${sql.ref(`b.${count}`)})`,
  })
  return [
    favorites('favorite_added', 'created_at'),
    favorites('favorite_removed', 'removed_at'),
    behavior('product_viewed', { table: 'product_views', at: 'viewed_at', count: 'views' }),
    behavior('cart_seen', { table: 'cart_products', at: 'changed_at', count: 'quantity' }),
    restocks('restock_requested', 'created_at'),
    restocks('restock_sent', 'sent_at'),
    restocks('restock_deleted', 'deleted_at'),
    {
      part: 'interest',
      kind: 'guest_joined',
      id: sql.ref('x.id'),
      at: sql.ref('x.joined_at'),
      from: sql`guests x`,
      where: sql`${mine('x')} and x.joined_at is not null`,
      facts: sql`'{}'::jsonb`,
    },
  ]
}

function ofScenarios({ m, mine }: Whose): Source[] {
  const executions = (kind: string, at: string, reason: RawBuilder<unknown>): Source => ({
    part: 'scenarios',
    kind,
    id: sql.ref('x.id'),
    at: sql.ref(`x.${at}`),
    from: sql`executions x join scenarios y on y.merchant_id = ${m} and y.id = x.scenario_id`,
    where: sql`${mine('x')} and not x.test and ${sql.ref(`x.${at}`)} is not null`,
    facts: sql`jsonb_build_object('scenario_id', y.id, 'scenario_name', y.name, 'execution_id', x.id, 'reason', ${reason})`,
  })
  return [
    executions('scenario_entered', 'created_at', sql`null`),
    executions('scenario_ended', 'ended_at', sql`x.end_reason`),
    {
      part: 'scenarios',
      kind: 'scenario_step',
      // Steps have numbers instead of ids.
      id: sql`md5(x.id::text || t.seq)::uuid`,
      at: sql.ref('t.at'),
      from: sql`executions x join scenarios y on y.merchant_id = ${m} and y.id = x.scenario_id
        join execution_steps t on t.merchant_id = ${m} and t.execution_id = x.id`,
      where: sql`${mine('x')} and not x.test and (t.outcome = 'failed'
        or (t.outcome = 'next' and t.node_kind = any(${shownKinds}::text[])
          and coalesce(t.detail ->> 'done', '') <> 'false'))`,
      facts: sql`jsonb_build_object('scenario_id', y.id, 'scenario_name', y.name, 'execution_id', x.id, 'node_kind', t.node_kind,
        'outcome', t.outcome, 'text', t.detail ->> 'text', 'code', t.detail ->> 'code')`,
    },
  ]
}

function ofMessages({ scope, m, mine, ofChannel }: Whose): Source[] {
  const hits = (kind: string, what: 'open' | 'click'): Source => ({
    part: 'messages',
    kind,
    id: sql.ref('h.id'),
    at: sql.ref('h.occurred_at'),
    from: sql`deliveries d join tracking_hits h on h.merchant_id = ${m} and h.delivery_id = d.id
      left join messages g on g.merchant_id = ${m} and g.id = d.message_id`,
    where: sql`${mine('d')} and h.kind = ${what} ${ofChannel}`,
    facts: sql`jsonb_build_object('delivery_id', d.id, 'channel', d.channel, 'subject', ${deliveryTitle(scope)}, 'verdict', h.verdict, 'evidence', h.evidence,
      'link', case when h.kind = 'click' then g.links[h.link_position + 1] end)`,
  })
  return [
    {
      part: 'messages',
      kind: 'message',
      id: sql.ref('d.id'),
      at: sql`coalesce(d.sent_at, d.created_at)`,
      from: sql`deliveries d`,
      where: sql`${mine('d')} ${ofChannel}`,
      facts: sql`jsonb_build_object('delivery_id', d.id)`,
    },
    hits('message_opened', 'open'),
    hits('message_clicked', 'click'),
  ]
}

function ofLine({ m, mine }: Whose): Source[] {
  const events = (kind: string, { part, type }: { part: Source['part']; type: string }): Source => ({
    part,
    isOfLine: true,
    kind,
    id: sql.ref('e.id'),
    at: sql.ref('e.happened_at'),
    from: sql`line_friends f join line_events e on e.merchant_id = ${m} and e.line_user_id = f.line_user_id`,
    where: sql`${mine('f')} and e.type = ${type} and e.event ->> 'mode' is distinct from 'standby'`,
    facts: sql`jsonb_build_object('text', e.event #>> '{message,text}', 'data', e.event #>> '{postback,data}')`,
  })
  const links = (kind: string, isLinked: boolean): Source => ({
    part: 'permissions',
    isOfLine: true,
    kind,
    id: sql.ref('x.id'),
    at: sql.ref('x.occurred_at'),
    from: sql`line_link_changes x`,
    where: sql`${mine('x')} and x.is_linked = ${isLinked}`,
    facts: sql`'{}'::jsonb`,
  })
  return [
    events('line_followed', { part: 'permissions', type: 'follow' }),
    events('line_blocked', { part: 'permissions', type: 'unfollow' }),
    links('line_linked', true),
    links('line_unlinked', false),
    events('line_wrote', { part: 'messages', type: 'message' }),
    events('line_tapped', { part: 'messages', type: 'postback' }),
  ]
}

function ofNoPart({ m, mine, customerId }: Whose): Source[] {
  return [
    {
      part: null,
      kind: 'customer_created',
      id: sql.ref('c.id'),
      at: sql.ref('c.created_at'),
      from: sql`customers c`,
      where: sql`c.merchant_id = ${m} and c.id = ${customerId}`,
      facts: sql`'{}'::jsonb`,
    },
    {
      part: null,
      kind: 'segment_entered',
      id: sql.ref('x.segment_id'),
      at: sql.ref('x.entered_at'),
      from: sql`segment_members x join segments y on y.merchant_id = ${m} and y.id = x.segment_id`,
      where: sql`${mine('x')} and y.deleted_at is null`,
      facts: sql`jsonb_build_object('segment_id', y.id, 'segment_name', y.name)`,
    },
    {
      part: null,
      kind: 'change_not_used',
      id: sql.ref('x.id'),
      at: sql.ref('x.occurred_at'),
      from: sql`customer_conflicts x`,
      where: mine('x'),
      facts: sql`to_jsonb(x) - 'merchant_id' - 'customer_id' - 'member_id'`,
    },
  ]
}

/** `channel`: of messages, those by it alone. */
function sourcesOf(
  scope: MerchantScope,
  { customerId, emailKey }: { customerId: string; emailKey: string | null },
  channel: ChannelName | null,
): Source[] {
  const m = sql`${scope.merchantId}::uuid`
  const whose: Whose = {
    scope,
    m,
    customerId,
    emailKey,
    mine: (table) =>
      sql`${sql.ref(`${table}.merchant_id`)} = ${m} and ${sql.ref(`${table}.customer_id`)} = ${customerId}`,
    ofChannel: channel === null ? sql`` : sql`and d.channel = ${channel}`,
  }
  return [ofOrders, ofPermissions, ofInterest, ofScenarios, ofMessages, ofLine, ofNoPart].flatMap((sources) =>
    sources(whose),
  )
}

/**
 * The newest entries of every kind after a position, and of these the newest. Each source is small for one customer, is read by an index that
 * begins with the customer, and gives at most one page of rows.
 */
export async function selectTimeline(
  scope: MerchantScope,
  customer: { customerId: string; emailKey: string | null },
  page: { limit: number; place: TimelinePlace | null; part: TimelinePart | undefined },
): Promise<TimelineRow[]> {
  const { limit, place, part } = page
  const channel = part === 'emails' ? 'email' : part === 'line' ? 'line' : null
  const sources = sourcesOf(scope, customer, channel).filter(({ part: own, isOfLine = false }) => {
    if (channel === 'line') return isOfLine || own === 'messages'
    return channel === 'email' ? own === 'messages' && !isOfLine : !part || own === part
  })
  const branches = sources.map(({ kind, id, at, from, where, facts }) => {
    const key = sql`(${`${kind}:`} || ${id})`
    // The first condition is redundant, but tells the index where to begin.
    const behind = place
      ? sql`and ${at} <= ${place.at}::timestamptz and (${at}, ${key}) < (${place.at}::timestamptz, ${place.id})`
      : sql``
    return sql`(select ${key} as id, ${at} as at, ${kind} as kind, ${facts} as facts from ${from} where ${where} ${behind}
      order by 2 desc, 1 desc limit ${limit})`
  })
  const { rows } = await sql<TimelineRow>`
    select t.id, t.at, t.at::text as exact, t.kind, t.facts from (${sql.join(branches, sql` union all `)}) t
    order by t.at desc, t.id desc limit ${limit}
  `.execute(scope.db)
  return rows
}

/** Messages `d` with the span in which their campaign chose its recipients; without a campaign, from the time they were prepared. */
const withTimes = ({ merchantId }: MerchantScope, deliveryIds: readonly string[]): RawBuilder<unknown> => sql`(
  select d.id, d.address, d.created_at, coalesce(k.started_at, d.created_at) as began_at, coalesce(k.sent_at, 'infinity') as over_at
  from deliveries d left join campaigns k on k.merchant_id = ${merchantId} and k.id = d.campaign_id
  where d.merchant_id = ${merchantId} and d.id = any(${deliveryIds}::uuid[])) d`

export interface DecidingChange {
  deliveryId: string
  state: ConsentState
  at: Date
  source: string
  page: string | null
  /** Recorded after the message was prepared. */
  later: boolean
}
/**
 * The change of marketing consent that decided each of these skipped messages: the last one recorded when its campaign began (earlier skips
 * are evaluated again then), if it withdrew consent or never gave it; else the first withdrawal until the campaign was sent; else the last
 * change recorded when the message was prepared. A scenario's message begins when it is prepared.
 */
export async function selectDecidingChanges(
  scope: MerchantScope,
  customerId: string,
  deliveryIds: readonly string[],
): Promise<DecidingChange[]> {
  const { rows } = await sql<DecidingChange>`
    with changes as (
      select * from consent_changes
      where merchant_id = ${scope.merchantId} and customer_id = ${customerId} and kind = 'marketing'
    ), skipped as (
      select d.*, b.id as at_beginning, b.to_state as state from ${withTimes(scope, deliveryIds)}
      left join lateral (select id, to_state from changes where recorded_at <= d.began_at order by id desc limit 1) b on true
    )
    select distinct on (d.id) d.id as "deliveryId", x.to_state as state, x.occurred_at as at, x.source, x.page,
      x.recorded_at > d.created_at as later
    from skipped d cross join lateral (values
      (1, d.at_beginning),
      (2, (select id from changes where d.state = 'granted' and recorded_at > d.began_at and recorded_at <= d.over_at
        and to_state <> 'granted' order by id limit 1)),
      (3, (select id from changes where recorded_at <= d.created_at order by id desc limit 1))
    ) as p (rank, change_id)
    join changes x on x.id = p.change_id and x.to_state <> 'granted'
    order by d.id, p.rank
  `.execute(scope.db)
  return rows
}

export interface DecidingSuppression {
  deliveryId: string
  reason: SuppressionReason
  at: Date
  proof: string | null
  liftedAt: Date | null
  later: boolean
}
/** The suppression in force when each message's campaign began, else when the message was prepared, else the first one before it could be sent. */
export async function selectDecidingSuppressions(
  scope: MerchantScope,
  emailKey: string | null,
  deliveryIds: readonly string[],
): Promise<DecidingSuppression[]> {
  const { rows } = await sql<DecidingSuppression>`
    select distinct on (d.id) d.id as "deliveryId", s.reason, s.created_at as at, coalesce(s.proof, s.detail) as proof,
      s.lifted_at as "liftedAt", s.created_at > d.created_at as later
    from ${withTimes(scope, deliveryIds)} join suppressions s on s.merchant_id = ${scope.merchantId} and s.channel = 'email'
      and s.address_key in (lower(d.address), ${emailKey}) and (s.lifted_at is null or s.lifted_at > d.created_at)
    order by d.id, s.created_at <= d.began_at and (s.lifted_at is null or s.lifted_at > d.began_at) desc, s.created_at
  `.execute(scope.db)
  return rows
}

/** For each duplicate, who got the message instead: another customer with the same address in the same campaign. */
export async function selectInstead(
  scope: MerchantScope,
  deliveryIds: readonly string[],
): Promise<{ deliveryId: string; customerId: string; name: string }[]> {
  const { rows } = await sql<{ deliveryId: string; customerId: string; name: string }>`
    select distinct on (d.id) d.id as "deliveryId", c.id as "customerId", c.display_name as name
    from deliveries d
    join customers c on c.merchant_id = ${scope.merchantId} and c.email_key = lower(d.address) and c.id <> d.customer_id
    join deliveries o on o.merchant_id = ${scope.merchantId} and o.campaign_id = d.campaign_id and o.customer_id = c.id
      and o.status <> 'skipped'
    where d.merchant_id = ${scope.merchantId} and d.id = any(${deliveryIds}::uuid[])
    order by d.id, c.created_at
  `.execute(scope.db)
  return rows
}

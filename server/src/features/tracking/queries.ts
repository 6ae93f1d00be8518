import type { ChannelName } from '@okaeri/contract/deliveries/delivery'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../kernel/database/database.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import type { RecipientVariables } from '../email-rendering/index.ts'
import { columnsOf, type Program, type WithColumns, withProgram } from '../stats/index.ts'
import type { Evidence } from './verdict.ts'

export interface NewHit {
  merchantId: string
  deliveryId: string
  kind: 'open' | 'click'
  linkPosition: number | null
  at: Date
  userAgent: string
  network: string
}

/**
 * The hits of one flush, of all merchants: every row has its merchant. The statement is its own transaction, so it is committed when it
 * returns. The caller makes the ids, so a repeated statement adds nothing.
 */
export async function insertHits(db: Database, ids: readonly string[], hits: readonly NewHit[]): Promise<void> {
  await sql`
    insert into tracking_hits (merchant_id, id, delivery_id, kind, link_position, occurred_at, user_agent, network)
    select * from unnest(
      ${hits.map((hit) => hit.merchantId)}::uuid[], ${ids}::uuid[],
      ${hits.map((hit) => hit.deliveryId)}::uuid[], ${hits.map((hit) => hit.kind)}::text[],
      ${hits.map((hit) => hit.linkPosition)}::int[], ${hits.map((hit) => hit.at.toISOString())}::timestamptz[],
      ${hits.map((hit) => hit.userAgent)}::text[], ${hits.map((hit) => hit.network)}::text[])
    on conflict (merchant_id, id) do nothing`.execute(db)
}

/** The message of each delivery; merchant and delivery come from signed links, of all merchants together. */
export async function findMessageOfDeliveries(
  db: Database,
  tokens: readonly { merchantId: string; deliveryId: string }[],
): Promise<{ merchantId: string; deliveryId: string; messageId: string }[]> {
  const { rows } = await sql<{ merchantId: string; deliveryId: string; messageId: string }>`
    select d.merchant_id as "merchantId", d.id as "deliveryId", d.message_id as "messageId"
    from unnest(${tokens.map(({ merchantId }) => merchantId)}::uuid[], ${tokens.map(({ deliveryId }) => deliveryId)}::uuid[])
      as t (merchant_id, id)
    join deliveries d on d.merchant_id = t.merchant_id and d.id = t.id`.execute(db)
  return rows
}

export async function findLinksOfMessages(
  db: Database,
  messages: readonly { merchantId: string; messageId: string }[],
): Promise<{ merchantId: string; messageId: string; links: string[] }[]> {
  const { rows } = await sql<{ merchantId: string; messageId: string; links: string[] }>`
    select m.merchant_id as "merchantId", m.id as "messageId", m.links
    from (select distinct * from unnest(${messages.map(({ merchantId }) => merchantId)}::uuid[],
      ${messages.map(({ messageId }) => messageId)}::uuid[]) as u (merchant_id, id)) t
    join messages m on m.merchant_id = t.merchant_id and m.id = t.id`.execute(db)
  return rows
}

/** The values of a recipient's mail besides the customer; merchant and delivery come from a signed link. */
export async function findVariables(
  db: Database,
  token: { merchantId: string; deliveryId: string },
): Promise<RecipientVariables | null> {
  const { rows } = await sql<{ variables: RecipientVariables | null }>`
    select variables from deliveries where merchant_id = ${token.merchantId} and id = ${token.deliveryId}`.execute(db)
  return rows[0]?.variables ?? null
}

export interface HitRow {
  id: string
  delivery_id: string
  kind: 'open' | 'click'
  link_position: number | null
  occurred_at: Date
  user_agent: string
  /** When the receiving server accepted the mail; null if unknown, or if the delivery was deleted. */
  sent_at: Date | null
}
const hitColumns = sql`h.id, h.delivery_id, h.kind, h.link_position, h.occurred_at, h.user_agent, d.sent_at`

/** Claims unjudged hits from before `before`, the oldest first; skips those another worker has. */
export async function claimUnjudged(scope: MerchantScope, before: Date, limit: number): Promise<HitRow[]> {
  const { rows } = await sql<HitRow>`
    select ${hitColumns} from tracking_hits h
    left join deliveries d on d.merchant_id = h.merchant_id and d.id = h.delivery_id
    where h.merchant_id = ${scope.merchantId} and h.judged_at is null and h.occurred_at <= ${before}
    order by h.id limit ${limit} for update of h skip locked`.execute(scope.db)
  return rows
}

/** Claims unjudged hits of some customers, the newest first; waits for another worker that has them. */
export async function claimUnjudgedOfCustomers(
  scope: MerchantScope,
  customerIds: readonly string[],
  limit: number,
): Promise<HitRow[]> {
  const { rows } = await sql<HitRow>`
    select ${hitColumns} from tracking_hits h
    join deliveries d on d.merchant_id = h.merchant_id and d.id = h.delivery_id
    where h.merchant_id = ${scope.merchantId} and h.judged_at is null and d.customer_id = any(${customerIds}::uuid[])
    order by h.id desc limit ${limit} for update of h`.execute(scope.db)
  return rows
}

/** The newest hits of each delivery, judged or not: a verdict depends on the neighbors. */
export async function listNewestHits(
  scope: MerchantScope,
  deliveryIds: readonly string[],
  perDelivery: number,
): Promise<Omit<HitRow, 'sent_at'>[]> {
  const { rows } = await sql<Omit<HitRow, 'sent_at'>>`
    select h.id, h.delivery_id, h.kind, h.link_position, h.occurred_at, h.user_agent
    from unnest(${deliveryIds}::uuid[]) as t (id)
    cross join lateral (
      select * from tracking_hits h where h.merchant_id = ${scope.merchantId} and h.delivery_id = t.id
      order by h.id desc limit ${perDelivery}
    ) h`.execute(scope.db)
  return rows
}

export async function markJudged(
  scope: MerchantScope,
  verdicts: readonly { id: string; verdict: 'human' | 'machine'; evidence: Evidence }[],
): Promise<void> {
  await sql`
    update tracking_hits h set verdict = v.verdict, evidence = v.evidence, judged_at = ${scope.now}
    from unnest(${verdicts.map(({ id }) => id)}::uuid[], ${verdicts.map(({ verdict }) => verdict)}::text[],
      ${verdicts.map(({ evidence }) => evidence)}::text[]) as v (id, verdict, evidence)
    where h.merchant_id = ${scope.merchantId} and h.id = v.id`.execute(scope.db)
}

/** The orders of people who were ever sent something. Matched by customer or address: the mail may have gone to a second record of the person. */
export async function listOrdersOfRecipients(
  scope: MerchantScope,
  orders: readonly { orderId: string; customerId: string | null; emailKey: string | null }[],
): Promise<Set<string>> {
  const { merchantId } = scope
  const sentTo = (customerId: RawBuilder<unknown>): RawBuilder<boolean> => sql`exists (
    select from deliveries d where d.merchant_id = ${merchantId} and d.customer_id = ${customerId})`
  const { rows } = await sql<{ id: string }>`
    with placed as materialized (
      select w.id, w.customer_id, k.email_key as known_key, w.email_key
      from unnest(${orders.map(({ orderId }) => orderId)}::uuid[], ${orders.map(({ customerId }) => customerId)}::uuid[],
        ${orders.map(({ emailKey }) => emailKey)}::text[]) as w (id, customer_id, email_key)
      left join customers k on k.merchant_id = ${merchantId} and k.id = w.customer_id
    )
    select p.id from placed p where ${sentTo(sql`p.customer_id`)}
    union
    select p.id from placed p join customers c on c.merchant_id = ${merchantId} and c.email_key = p.known_key
    where ${sentTo(sql`c.id`)}
    union
    select p.id from placed p join customers c on c.merchant_id = ${merchantId} and c.email_key = p.email_key
    where ${sentTo(sql`c.id`)}`.execute(scope.db)
  return new Set(rows.map(({ id }) => id))
}

export async function listCustomersOfOrder(
  scope: MerchantScope,
  order: { customerId: string | null; emailKey: string | null },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from customers where merchant_id = ${scope.merchantId} and (id = ${order.customerId}::uuid
      or email_key = ${order.emailKey}::text
      or email_key = (select email_key from customers where merchant_id = ${scope.merchantId} and id = ${order.customerId}::uuid))
  `.execute(scope.db)
  return rows.map(({ id }) => id)
}

export interface CreditRow {
  program: Program | null
  delivery_id: string
  channel: ChannelName
  email_id: string | null
  customer_id: string | null
}

/** The delivery to these customers that a human last clicked (opened) in the span; without tests. */
export async function findLastTouched(
  scope: MerchantScope,
  by: { kind: 'open' | 'click'; customerIds: readonly string[]; from: Date; to: Date },
): Promise<CreditRow | null> {
  const { rows } = await sql<WithColumns<CreditRow>>`
    select d.id as delivery_id, d.campaign_id, d.scenario_id, d.node_id, d.channel, m.email_id, d.customer_id
    from deliveries d
    join tracking_hits h on h.merchant_id = d.merchant_id and h.delivery_id = d.id
    join messages m on m.merchant_id = d.merchant_id and m.id = d.message_id
    where d.merchant_id = ${scope.merchantId} and d.customer_id = any(${by.customerIds}::uuid[])
      and not d.test_mode and d.kind <> 'test'
      and h.kind = ${by.kind} and h.verdict = 'human' and h.occurred_at between ${by.from} and ${by.to}
    order by h.occurred_at desc, h.id desc limit 1`.execute(scope.db)
  return rows[0] ? withProgram(rows[0]) : null
}

/** Returns whether the order was not yet credited. */
export async function insertConversion(
  scope: MerchantScope,
  {
    program,
    ...conversion
  }: Omit<CreditRow, 'channel'> & {
    order_id: string
    credited_by: 'click' | 'open'
    amount: number
    currency: string
    ordered_at: Date
  },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await scope.db
    .insertInto('conversions')
    .values({ merchant_id: scope.merchantId, ...conversion, ...columnsOf(program) })
    .onConflict((conflict) => conflict.columns(['merchant_id', 'order_id']).doNothing())
    .executeTakeFirstOrThrow()
  return Number(numInsertedOrUpdatedRows ?? 0) > 0
}

/** Whether an order was ever credited, also one that was withdrawn since. */
export async function hasConversions(scope: MerchantScope): Promise<boolean> {
  const { rows } = await sql`select from conversions where merchant_id = ${scope.merchantId} limit 1`.execute(scope.db)
  return rows.length > 0
}

export interface ConversionRow {
  program: Program | null
  channel: ChannelName
  email_id: string | null
  amount: number
  currency: string
  ordered_at: Date
}

export async function findConversionForUpdate(scope: MerchantScope, orderId: string): Promise<ConversionRow | null> {
  const { rows } = await sql<WithColumns<ConversionRow>>`
    select o.campaign_id, o.scenario_id, o.node_id, d.channel, o.email_id, o.amount, o.currency, o.ordered_at
    from conversions o join deliveries d on d.merchant_id = ${scope.merchantId} and d.id = o.delivery_id
    where o.merchant_id = ${scope.merchantId} and o.order_id = ${orderId} and o.withdrawn_at is null
    for update of o`.execute(scope.db)
  return rows[0] ? withProgram({ ...rows[0], amount: Number(rows[0].amount) }) : null
}

/** Orders credited to each message of a campaign that still count; money in one currency. */
export async function creditedToMessages(
  scope: MerchantScope,
  { campaignId, currency }: { campaignId: string; currency: string },
): Promise<{ message_id: string; orders: number; revenue: number }[]> {
  const { merchantId } = scope
  const { rows } = await sql<{ message_id: string; orders: number; revenue: number }>`
    select d.message_id, count(*)::int as orders, coalesce(sum(o.amount) filter (where o.currency = ${currency}), 0)::bigint as revenue
    from conversions o join deliveries d on d.merchant_id = ${merchantId} and d.id = o.delivery_id
    where o.merchant_id = ${merchantId} and o.campaign_id = ${campaignId} and o.withdrawn_at is null
    group by d.message_id`.execute(scope.db)
  return rows
}

export async function markWithdrawn(scope: MerchantScope, orderId: string): Promise<void> {
  await scope.db
    .updateTable('conversions')
    .set({ withdrawn_at: scope.now })
    .where('merchant_id', '=', scope.merchantId)
    .where('order_id', '=', orderId)
    .execute()
}

export async function markAmount(scope: MerchantScope, orderId: string, amount: number): Promise<void> {
  await scope.db
    .updateTable('conversions')
    .set({ amount })
    .where('merchant_id', '=', scope.merchantId)
    .where('order_id', '=', orderId)
    .execute()
}

export async function findAttributionSettings(
  scope: MerchantScope,
): Promise<{ attribution_days: number; attribution_counts_opens: boolean; currency: string }> {
  return scope.db
    .selectFrom('merchants')
    .select(['attribution_days', 'attribution_counts_opens', 'currency'])
    .where('id', '=', scope.merchantId)
    .executeTakeFirstOrThrow()
}

export interface LinkFigures {
  url: string
  human: number
  machine: number
}

/** For each address in a campaign's mail: how many deliveries have a human click on it, and how many only machine clicks. */
export async function countLinkClicks(scope: MerchantScope, messageIds: readonly string[]): Promise<LinkFigures[]> {
  const { rows } = await sql<LinkFigures>`
    select url, count(*) filter (where by_human)::int as human, count(*) filter (where not by_human)::int as machine
    from (
      select m.links[h.link_position + 1] as url, d.id, bool_or(h.verdict = 'human') as by_human
      from deliveries d
      join messages m on m.merchant_id = d.merchant_id and m.id = d.message_id
      join tracking_hits h on h.merchant_id = d.merchant_id and h.delivery_id = d.id
      where d.merchant_id = ${scope.merchantId} and d.message_id = any(${messageIds}::uuid[])
        and (d.clicked_at is not null or d.machine_clicked_at is not null)
        and h.kind = 'click' and h.verdict is not null
      group by 1, 2
    ) clicks where url is not null group by 1`.execute(scope.db)
  return rows
}

/** As {@link countLinkClicks}, for each position in one message's mail: the same address may be at several. */
export async function countClicksByPosition(
  scope: MerchantScope,
  messageId: string,
): Promise<{ position: number; human: number; machine: number }[]> {
  const { rows } = await sql<{ position: number; human: number; machine: number }>`
    select position, count(*) filter (where by_human)::int as human, count(*) filter (where not by_human)::int as machine
    from (
      select h.link_position as position, d.id, bool_or(h.verdict = 'human') as by_human
      from deliveries d join tracking_hits h on h.merchant_id = d.merchant_id and h.delivery_id = d.id
      where d.merchant_id = ${scope.merchantId} and d.message_id = ${messageId}
        and (d.clicked_at is not null or d.machine_clicked_at is not null)
        and h.kind = 'click' and h.verdict is not null and h.link_position is not null
      group by 1, 2
    ) clicks group by 1`.execute(scope.db)
  return rows
}

export async function clearHits(scope: MerchantScope, customerId: string): Promise<void> {
  await sql`update tracking_hits h set user_agent = '', network = '' from deliveries d
    where h.merchant_id = ${scope.merchantId} and d.merchant_id = ${scope.merchantId} and d.id = h.delivery_id
      and d.customer_id = ${customerId}`.execute(scope.db)
}

export async function clearConversions(scope: MerchantScope, customerId: string): Promise<void> {
  await scope.db
    .updateTable('conversions')
    .set({ customer_id: null })
    .where('merchant_id', '=', scope.merchantId)
    .where('customer_id', '=', customerId)
    .execute()
}

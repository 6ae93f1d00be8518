import type { ChannelName, DeliveryStatus } from '@okaeri/contract/deliveries/delivery'
import type { Locale } from '@okaeri/contract/locale'
import type { Campaign, CampaignChannels, CampaignStatus } from '@okaeri/contract/campaigns/campaign'
import type { CampaignReport } from '@okaeri/contract/campaigns/report'
import type { Money } from '@okaeri/contract/money'
import { sql } from 'kysely'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import type { LocalSpan } from './local-span.ts'
import { type ChannelResults, measures } from '../stats/index.ts'
import { type BounceKind, deliveryRecipient, deliveryTitle } from '../deliveries/index.ts'

/**
 * What was counted of each channel at each of a span's points that has any; `point` is the number of its mark. The marks are instants: no
 * zones here.
 */
export async function countByPoint(
  scope: MerchantScope,
  span: LocalSpan,
  programId: string | null,
): Promise<(ChannelResults & { point: number })[]> {
  const { rows } = await sql<ChannelResults & { point: number }>`
    select width_bucket(bucket, ${span.marks}::timestamptz[]) - 1 as point, channel,
      ${sql.join(measures.map((measure) => sql`sum(${sql.ref(measure)})::bigint as ${sql.ref(measure)}`))}
    from message_stats
    where merchant_id = ${scope.merchantId} and bucket >= ${span.start} and bucket < ${span.end}
      and (${programId}::uuid is null or program_id = ${programId})
    group by 1, 2`.execute(scope.db)
  return rows
}

/**
 * Credited orders of a span that still count, in another currency than the account's. Asked from both sides of it: the index then leads to those few, where
 * "another" would read all.
 */
export async function countInOtherCurrencies(
  scope: MerchantScope,
  { start, end }: Pick<LocalSpan, 'start' | 'end'>,
  { currency, scenarioId }: { currency: string; scenarioId: string | null },
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from conversions
    where merchant_id = ${scope.merchantId} and (currency < ${currency} or currency > ${currency}) and withdrawn_at is null
      and ordered_at >= ${start} and ordered_at < ${end} and (${scenarioId}::uuid is null or scenario_id = ${scenarioId})`.execute(
    scope.db,
  )
  return rows[0]?.count ?? 0
}

export async function countCustomers(scope: MerchantScope): Promise<{ total: number; marketing_permitted: number }> {
  const { rows } = await sql<{ total: number; marketing_permitted: number }>`
    select count(*)::int as total, count(*) filter (where marketing_state = 'granted')::int as marketing_permitted
    from customers where merchant_id = ${scope.merchantId}`.execute(scope.db)
  return rows[0] ?? { total: 0, marketing_permitted: 0 }
}

interface Concerns {
  store_connected: boolean
  campaign_waiting: boolean
  uncertain_deliveries: boolean
  line_webhook: boolean
}
export async function findConcerns(scope: MerchantScope): Promise<Concerns> {
  const { merchantId } = scope
  const { rows } = await sql<Concerns>`
    select
      exists (select from store_connections where merchant_id = ${merchantId} and status = 'connected') as store_connected,
      exists (select from campaigns where merchant_id = ${merchantId} and status = 'waiting') as campaign_waiting,
      exists (select from deliveries where merchant_id = ${merchantId} and status = 'uncertain') as uncertain_deliveries,
      exists (select from line_accounts where merchant_id = ${merchantId} and access_token is not null and not webhook_arrives) as line_webhook
  `.execute(scope.db)
  return (
    rows[0] ?? { store_connected: false, campaign_waiting: false, uncertain_deliveries: false, line_webhook: false }
  )
}

export interface CampaignRow {
  id: string
  name: string
  status: CampaignStatus
  send_type: Campaign['send_type']
  test_mode: boolean
  tracking_enabled: boolean
  channels: CampaignChannels
  email_id: string | null
  message_id: string | null
  started_at: Date | null
  sent_at: Date | null
}

/** A deleted campaign has no report; its messages stay in the customers' histories. */
export async function findCampaign(scope: MerchantScope, id: string): Promise<CampaignRow | null> {
  const row = await scope.db
    .selectFrom('campaigns')
    .select([
      'id',
      'name',
      'status',
      'send_type',
      'test_mode',
      'tracking_enabled',
      'channels',
      'email_id',
      'message_id',
      'started_at',
      'sent_at',
    ])
    .where('merchant_id', '=', scope.merchantId)
    .where('id', '=', id)
    .where('status', '<>', 'deleted')
    .executeTakeFirst()
  return (row as CampaignRow | undefined) ?? null
}

/** Campaigns that began to go out, the newest first, each with the number of messages taken by the receiving servers. */
export async function selectStartedCampaigns(
  scope: MerchantScope,
  page: { limit: number; offset: number },
): Promise<{ rows: (CampaignRow & { delivery_count: number })[]; total: number }> {
  const started = sql`merchant_id = ${scope.merchantId} and started_at is not null and status <> 'deleted'`
  const { rows } = await sql<CampaignRow & { delivery_count: number }>`
    select c.id, c.name, c.status, c.send_type, c.test_mode, c.tracking_enabled, c.channels, c.email_id, c.message_id, c.started_at, c.sent_at, coalesce(
      (c.final_balance ->> 'sent')::int,
      (select count(*)::int from deliveries d where d.merchant_id = ${scope.merchantId} and d.campaign_id = c.id and d.status = 'sent')
    ) as delivery_count
    from (
      select * from campaigns where ${started}
      order by started_at desc, id desc limit ${page.limit} offset ${page.offset}
    ) c order by c.started_at desc, c.id desc`.execute(scope.db)
  const counted = await sql<{ total: number }>`select count(*)::int as total from campaigns where ${started}`.execute(
    scope.db,
  )
  return { rows, total: counted.rows[0]?.total ?? 0 }
}

/** What went to customers by the same channels, to its end and with opens and clicks tracked, before a campaign began: the last ones first. */
export async function listFinishedBefore(
  scope: MerchantScope,
  campaign: { id: string; channels: CampaignChannels; startedAt: Date },
  limit: number,
): Promise<string[]> {
  const rows = await scope.db
    .selectFrom('campaigns')
    .select('id')
    .where('merchant_id', '=', scope.merchantId)
    .where('id', '<>', campaign.id)
    .where('status', 'in', ['sent', 'resolved'])
    .where('test_mode', '=', false)
    .where('tracking_enabled', '=', true)
    .where('channels', '=', campaign.channels)
    .where('started_at', '<=', campaign.startedAt)
    .orderBy('started_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** Campaigns one could be compared with, those to the same audience first, then the last ones first. */
export async function listComparable(
  scope: MerchantScope,
  campaignId: string,
  limit: number,
): Promise<{ id: string; name: string; sent_at: Date | null; same_audience: boolean }[]> {
  const { rows } = await sql<{ id: string; name: string; sent_at: Date | null; same_audience: boolean }>`
    select c.id, c.name, c.sent_at,
      c.segment_type = o.segment_type and c.customer_segment_id is not distinct from o.customer_segment_id as same_audience
    from campaigns o join campaigns c on c.merchant_id = o.merchant_id and c.id <> o.id and c.started_at <= o.started_at
    where o.merchant_id = ${scope.merchantId} and o.id = ${campaignId}
      and c.status in ('sent', 'resolved') and not c.test_mode and c.tracking_enabled and c.channels = o.channels
    order by same_audience desc, c.started_at desc, c.id desc limit ${limit}`.execute(scope.db)
  return rows
}

/** When the merchant came, or something of theirs was first counted. */
export async function findBeginning(scope: MerchantScope): Promise<Date> {
  const { rows } = await sql<{ began_at: Date }>`
    select least(created_at, (select min(bucket) from message_stats where merchant_id = ${scope.merchantId})) as began_at
    from merchants where id = ${scope.merchantId}`.execute(scope.db)
  return rows[0]?.began_at ?? scope.now
}

/** When a scenario was created; null when there is none. */
export async function findScenarioBeginning(scope: MerchantScope, id: string): Promise<Date | null> {
  const row = await scope.db
    .selectFrom('scenarios')
    .select('created_at')
    .where('merchant_id', '=', scope.merchantId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.created_at ?? null
}

export interface CampaignFigures {
  delivery_count: number
  mail_count: number
  bounce_count: number
  bounces_by_kind: CampaignReport['bounces_by_kind']
  open_count: number
  click_count: number
  machine_open_count: number
  machine_click_count: number
  unsubscribe_count: number
  complaint_count: number
}

/** Counted from the rows of the ledger, so that they agree with the balance. Of which kind a bounce was is not known from before; all were hard. A bounce is of a message that had been taken. */
export async function countCampaign(scope: MerchantScope, campaignId: string): Promise<CampaignFigures> {
  const { rows } = await sql<CampaignFigures>`
    select count(*) filter (where status = 'sent')::int as delivery_count,
      count(*) filter (where status = 'sent' and channel = 'email')::int as mail_count,
      count(bounced_at)::int as bounce_count,
      json_build_object('hard', count(bounced_at) filter (where coalesce(bounce_kind, 'hard') = 'hard'),
        'soft', count(bounced_at) filter (where bounce_kind = 'soft'), 'full', count(bounced_at) filter (where bounce_kind = 'full'),
        'blocked', count(bounced_at) filter (where bounce_kind = 'blocked')) as bounces_by_kind,
      count(opened_at) filter (where channel = 'email')::int as open_count,
      count(clicked_at)::int as click_count, count(machine_opened_at) filter (where opened_at is null)::int as machine_open_count,
      count(machine_clicked_at) filter (where clicked_at is null)::int as machine_click_count,
      count(unsubscribed_at)::int as unsubscribe_count, count(complained_at)::int as complaint_count
    from deliveries where merchant_id = ${scope.merchantId} and campaign_id = ${campaignId}`.execute(scope.db)
  return rows[0] as CampaignFigures
}

/** What came of each channel of a campaign; money in the merchant's own currency. */
export async function countByChannel(
  scope: MerchantScope,
  campaignId: string,
  currency: string,
): Promise<
  { channel: ChannelName; delivery_count: number; click_count: number; order_count: number; revenue: number }[]
> {
  const { merchantId } = scope
  const { rows } = await sql<{
    channel: ChannelName
    delivery_count: number
    click_count: number
    order_count: number
    revenue: number
  }>`
    with credited as (
      select delivery_id, count(*) as orders, sum(amount) filter (where currency = ${currency}) as revenue from conversions
      where merchant_id = ${merchantId} and campaign_id = ${campaignId} and withdrawn_at is null group by delivery_id
    )
    select d.channel, count(*) filter (where d.status = 'sent')::int as delivery_count, count(d.clicked_at)::int as click_count,
      coalesce(sum(o.orders), 0)::int as order_count, coalesce(sum(o.revenue), 0)::bigint as revenue
    from deliveries d left join credited o on o.delivery_id = d.id
    where d.merchant_id = ${merchantId} and d.campaign_id = ${campaignId} group by d.channel order by d.channel desc`.execute(
    scope.db,
  )
  return rows
}

interface CreditedOrders {
  order_count: number
  revenue: number
  orders_in_other_currencies: number
}
/** Orders credited to a campaign that still count; money in the merchant's own currency. */
export async function sumConversions(
  scope: MerchantScope,
  campaignId: string,
  currency: string,
): Promise<CreditedOrders> {
  const { rows } = await sql<CreditedOrders>`
    select count(*)::int as order_count, coalesce(sum(amount) filter (where currency = ${currency}), 0)::bigint as revenue,
      (count(*) filter (where currency <> ${currency}))::int as orders_in_other_currencies
    from conversions
    where merchant_id = ${scope.merchantId} and campaign_id = ${campaignId} and withdrawn_at is null`.execute(scope.db)
  return rows[0] ?? { order_count: 0, revenue: 0, orders_in_other_currencies: 0 }
}

/** First opens, first clicks and revenue of a campaign at each of a span's points that has any. */
export async function countCampaignByPoint(
  scope: MerchantScope,
  campaignId: string,
  currency: string,
  span: LocalSpan,
): Promise<{ point: number; opens: number; clicks: number; revenue: number }[]> {
  const { merchantId } = scope
  const { rows } = await sql<{ point: number; opens: number; clicks: number; revenue: number }>`
    select width_bucket(at, ${span.marks}::timestamptz[]) - 1 as point, sum(opens)::int as opens, sum(clicks)::int as clicks,
      sum(revenue)::bigint as revenue
    from (
      select opened_at as at, 1 as opens, 0 as clicks, 0::bigint as revenue
      from deliveries where merchant_id = ${merchantId} and campaign_id = ${campaignId} and opened_at is not null and channel = 'email'
      union all
      select clicked_at, 0, 1, 0
      from deliveries where merchant_id = ${merchantId} and campaign_id = ${campaignId} and clicked_at is not null
      union all
      select ordered_at, 0, 0, amount
      from conversions where merchant_id = ${merchantId} and campaign_id = ${campaignId} and withdrawn_at is null
        and currency = ${currency}
    ) facts
    where at >= ${span.start} and at < ${span.end}
    group by 1`.execute(scope.db)
  return rows
}

export async function findEmailName(
  scope: MerchantScope,
  id: string,
): Promise<{ name: string; created_at: Date; deleted_at: Date | null } | null> {
  const row = await scope.db
    .selectFrom('emails')
    .select(['name', 'created_at', 'deleted_at'])
    .where('merchant_id', '=', scope.merchantId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row ?? null
}

/** The frozen contents of a campaign; nearly always one. */
export async function listMessageIds(
  scope: MerchantScope,
  campaignId: string,
): Promise<{ id: string; links: string[]; ab_group: string | null }[]> {
  return scope.db
    .selectFrom('messages')
    .select(['id', 'links', 'ab_group'])
    .where('merchant_id', '=', scope.merchantId)
    .where('campaign_id', '=', campaignId)
    .orderBy('id')
    .execute()
}

const STEP_MESSAGES_SHOWN = 20

/** What a step of a scenario sent to people, the newest first. */
export async function listStepMessages(
  scope: MerchantScope,
  { scenarioId, nodeId }: { scenarioId: string; nodeId: string },
): Promise<{ id: string; created_at: Date; tracking_enabled: boolean; test_mode: boolean }[]> {
  return scope.db
    .selectFrom('messages')
    .select(['id', 'created_at', 'tracking_enabled', 'test_mode'])
    .where('merchant_id', '=', scope.merchantId)
    .where('scenario_id', '=', scenarioId)
    .where('node_id', '=', nodeId)
    .where('for_tests', '=', false)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(STEP_MESSAGES_SHOWN)
    .execute()
}

export interface RecipientRow {
  id: string
  name: string | null
  channel: ChannelName
  recipient: string | null
  subject: string | null
  status: DeliveryStatus
  reason: string | null
  detail: string | null
  test_mode: boolean
  sent_at: Date | null
  opened_at: Date | null
  clicked_at: Date | null
  machine_opened_at: Date | null
  machine_clicked_at: Date | null
  bounced_at: Date | null
  bounce_kind: BounceKind | null
  unsubscribed_at: Date | null
  complained_at: Date | null
  orders: number
  /** In the merchant's own currency. */
  revenue: number
  other_revenue: Money[]
  /** Only for a mail made for them. */
  language: Locale | null
}

/** The recipients of a message after the one given, in the order they were written. Money of different currencies is never one sum. */
export async function listRecipients(
  scope: MerchantScope,
  page: { messageId: string; after: string; limit: number },
  currency: string,
): Promise<RecipientRow[]> {
  const { rows } = await sql<RecipientRow>`
    select d.id, c.display_name as name, d.channel, ${deliveryRecipient(scope)} as recipient, d.status, d.reason, d.detail, d.test_mode, d.sent_at,
      case d.channel when 'email' then d.opened_at end as opened_at, d.clicked_at,
      d.machine_opened_at, d.machine_clicked_at, d.bounced_at,
      case when d.bounced_at is not null then coalesce(d.bounce_kind, 'hard') end as bounce_kind, d.unsubscribed_at, d.complained_at, o.orders, o.revenue, o.other_revenue,
      ${deliveryTitle(scope)} as subject,
      case when d.channel = 'email' and d.status not in ('pending', 'skipped') then coalesce(d.language, e.language, w.language) end as language
    from (
      select * from deliveries
      where merchant_id = ${scope.merchantId} and message_id = ${page.messageId} and id > ${page.after}
      order by id limit ${page.limit}
    ) d
    left join customers c on c.merchant_id = ${scope.merchantId} and c.id = d.customer_id
    left join email_contents e on e.merchant_id = ${scope.merchantId} and e.message_id = d.message_id
    join merchants w on w.id = ${scope.merchantId}
    cross join lateral (
      select coalesce(sum(orders), 0)::int as orders, coalesce(sum(amount) filter (where currency = ${currency}), 0)::bigint as revenue,
        coalesce(
          jsonb_agg(jsonb_build_object('amount', amount, 'currency', currency) order by currency) filter (where currency <> ${currency}), '[]'
        ) as other_revenue
      from (
        select currency, count(*) as orders, sum(amount) as amount from conversions
        where merchant_id = ${scope.merchantId} and delivery_id = d.id and withdrawn_at is null
        group by currency
      ) each
    ) o
    order by d.id`.execute(scope.db)
  return rows
}

export interface ClickRow {
  delivery_id: string
  hit_id: string
  name: string | null
  channel: ChannelName
  recipient: string | null
  link_position: number | null
  occurred_at: Date
  verdict: 'human' | 'machine' | null
  evidence: string | null
  user_agent: string
  network: string
}

/** The clicks on a message after the one given, recipient by recipient. */
export async function listClicks(
  scope: MerchantScope,
  page: { messageId: string; after: { deliveryId: string; hitId: string }; limit: number },
): Promise<ClickRow[]> {
  const { deliveryId, hitId } = page.after
  const { rows } = await sql<ClickRow>`
    select d.id as delivery_id, h.id as hit_id, c.display_name as name, d.channel, ${deliveryRecipient(scope)} as recipient, h.link_position, h.occurred_at, h.verdict,
      h.evidence, h.user_agent, h.network
    from deliveries d
    join tracking_hits h on h.merchant_id = d.merchant_id and h.delivery_id = d.id and h.kind = 'click'
    left join customers c on c.merchant_id = d.merchant_id and c.id = d.customer_id
    where d.merchant_id = ${scope.merchantId} and d.message_id = ${page.messageId}
      and d.id >= ${deliveryId} and (d.id, h.id) > (${deliveryId}::uuid, ${hitId}::uuid)
    order by d.id, h.id limit ${page.limit}`.execute(scope.db)
  return rows
}

/** A mail of the campaign says it in more than one language. */
export async function hasVariants(scope: MerchantScope, campaignId: string): Promise<boolean> {
  const { rows } = await sql`
    select from messages m join email_content_variants v on v.merchant_id = ${scope.merchantId} and v.message_id = m.id
    where m.merchant_id = ${scope.merchantId} and m.campaign_id = ${campaignId} limit 1`.execute(scope.db)
  return rows.length > 0
}

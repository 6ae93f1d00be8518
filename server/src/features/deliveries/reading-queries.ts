import {
  type ChannelName,
  DELIVERIES_COUNTED_TO,
  type DeliveryKind,
  type DeliveryStatus,
} from '@okaeri/contract/deliveries/delivery'
import type { Locale } from '@okaeri/contract/locale'
import { type RawBuilder, sql } from 'kysely'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import type { MailSums } from '../customers/index.ts'
import { deliveryColumns, deliveryJoins } from './view-sql.ts'

interface BalanceRow {
  status: DeliveryStatus
  reason: string | null
  count: number
}

/** The rows of a campaign by status and reason: what the balance is computed from. */
export async function countByStatus(scope: MerchantScope, campaignId: string): Promise<BalanceRow[]> {
  const { rows } = await sql<BalanceRow>`
    select status, case when status in ('skipped', 'failed') then reason end as reason, count(*)::int as count
    from deliveries where merchant_id = ${scope.merchantId} and campaign_id = ${campaignId} group by 1, 2`.execute(
    scope.db,
  )
  return rows
}

/** The sent rows of a message by quarter of an hour, without tests: the truth the counts of `stats` are set from. */
export async function countSentByBucket(
  scope: MerchantScope,
  messageId: string,
): Promise<{ bucket: Date; sent: number }[]> {
  const { rows } = await sql<{ bucket: Date; sent: number }>`
    select date_bin('15 minutes', sent_at, timestamptz '2000-01-01') as bucket, count(*)::int as sent
    from deliveries where merchant_id = ${scope.merchantId} and message_id = ${messageId} and status = 'sent' and not test_mode
    group by 1`.execute(scope.db)
  return rows
}

/** The customers a campaign was for: a page of them, in the order of their ids, after `after`. */
export async function listRecipients(
  scope: MerchantScope,
  page: { campaignId: string; after: string; limit: number },
): Promise<string[]> {
  const { rows } = await sql<{ customer_id: string }>`
    select distinct customer_id from deliveries
    where merchant_id = ${scope.merchantId} and campaign_id = ${page.campaignId} and customer_id > ${page.after}
    order by customer_id limit ${page.limit}`.execute(scope.db)
  return rows.map(({ customer_id }) => customer_id)
}

/** Of rows `d`, those that have it, the oldest first. */
const minutes = (column: 'sent_at' | 'opened_at' | 'clicked_at'): RawBuilder<number[]> => {
  const at = sql.ref(`d.${column}`)
  return sql`coalesce(array_agg(floor(extract(epoch from ${at}) / 60)::int order by ${at}) filter (where ${at} is not null), '{}')`
}

/** What customers got in all and did with mails, tests aside; opened and clicked by people. Who got nothing comes with zeros. */
export async function sumUpMails(scope: MerchantScope, customerIds: readonly string[]): Promise<MailSums[]> {
  const { rows } = await sql<MailSums>`
    select p.id as "customerId", d.*, (
      select count(*)::int from deliveries l where l.merchant_id = ${scope.merchantId} and l.customer_id = p.id
        and l.status = 'sent' and l.channel = 'line' and l.kind <> 'test' and not l.test_mode
    ) as "lineSent" from unnest(${[...customerIds]}::uuid[]) as p (id)
    cross join lateral (
      select count(*)::int as sent, count(d.opened_at)::int as opened, count(d.clicked_at)::int as clicked,
        max(d.sent_at) as "lastSentAt", max(d.opened_at) as "lastOpenedAt", max(d.clicked_at) as "lastClickedAt",
        ${minutes('sent_at')} as "sentMinutes", ${minutes('opened_at')} as "openedMinutes", ${minutes('clicked_at')} as "clickedMinutes"
      from deliveries d where d.merchant_id = ${scope.merchantId} and d.customer_id = p.id
        and d.status = 'sent' and d.channel = 'email' and d.kind <> 'test' and not d.test_mode
    ) d`.execute(scope.db)
  return rows
}

export interface DeliveryRow {
  id: string
  kind: DeliveryKind
  channel: ChannelName
  status: DeliveryStatus
  reason: string | null
  detail: string | null
  customer_id: string | null
  customer_name: string | null
  address: string | null
  recipient: string | null
  subject: string | null
  language: Locale | null
  campaign_id: string | null
  scenario_id: string | null
  node_id: string | null
  email_id: string | null
  line_message_id: string | null
  test_mode: boolean
  attempts: number
  created_at: Date
  sent_at: Date | null
  opened_at: Date | null
  clicked_at: Date | null
  bounced_at: Date | null
}

/**
 * Deliveries with the names pages show, what needs a look first; `where` narrows them (over d). The names are looked up for the page's
 * rows only.
 */
async function selectDeliveries(
  scope: MerchantScope,
  options: { where: RawBuilder<boolean>; limit: number; offset: number },
): Promise<{ rows: DeliveryRow[]; total: number }> {
  const { merchantId } = scope
  const from = sql`from deliveries d where d.merchant_id = ${merchantId} and (${options.where})`
  const order = sql`array_position(array['failed', 'uncertain', 'sent', 'sending', 'pending', 'skipped'], d.status), d.id desc`
  const [page, count] = await Promise.all([
    sql<DeliveryRow>`
      select ${deliveryColumns(scope)}
      from (select d.* ${from} order by ${order} limit ${options.limit} offset ${options.offset}) d ${deliveryJoins(scope)}
      order by ${order}`.execute(scope.db),
    sql<{ total: number }>`select count(*)::int as total ${from}`.execute(scope.db),
  ])
  return { rows: page.rows, total: count.rows[0]?.total ?? 0 }
}

export const selectDeliveriesOfMessage = (
  scope: MerchantScope,
  messageId: string,
): Promise<{ rows: DeliveryRow[]; total: number }> =>
  selectDeliveries(scope, { where: sql`d.message_id = ${messageId}`, limit: 100, offset: 0 })

/** Rows by their ids; which of them are there. */
export const selectDeliveriesByIds = (
  scope: MerchantScope,
  ids: readonly string[],
): Promise<{ rows: DeliveryRow[]; total: number }> =>
  selectDeliveries(scope, { where: sql`d.id = any(${[...ids]}::uuid[])`, limit: ids.length, offset: 0 })

/** What needs a look first, then what was sent last: each part is read in the order of an index, as far as the page goes. */
const statusesInOrder: readonly { status: DeliveryStatus; order: RawBuilder<unknown> }[] = [
  { status: 'failed', order: sql`d.id desc` },
  { status: 'uncertain', order: sql`d.id desc` },
  { status: 'sent', order: sql`d.sent_at desc, d.id desc` },
  { status: 'sending', order: sql`d.id desc` },
  { status: 'pending', order: sql`d.id desc` },
  { status: 'skipped', order: sql`d.id desc` },
]

interface DeliveryFilter {
  status?: DeliveryStatus | undefined
  channel?: ChannelName | undefined
  limit: number
  offset: number
}

export async function selectDeliveriesOfScenario(
  scope: MerchantScope,
  scenarioId: string,
  query: DeliveryFilter & { nodeId?: string | undefined },
): Promise<{ rows: DeliveryRow[]; total: number }> {
  const { merchantId } = scope
  const { status: wanted, channel, nodeId, limit, offset } = query
  const atNode = nodeId === undefined ? sql`true` : sql`d.node_id = ${nodeId}`
  const byChannel = channel === undefined ? sql`true` : sql`d.channel = ${channel}`
  const of = (which: RawBuilder<unknown>) => sql`
    from deliveries d where d.merchant_id = ${merchantId} and d.scenario_id = ${scenarioId} and ${which} and ${atNode} and ${byChannel}`
  const ids: string[] = []
  for (const { status, order } of statusesInOrder) {
    if (wanted !== undefined && wanted !== status) continue
    const missing = offset + limit - ids.length
    if (missing <= 0) break
    // As text, as the conditions of the indexes have it.
    const { rows } = await sql<{ id: string }>`
      select d.id ${of(sql`d.status = ${sql.lit(status)}`)} order by ${order} limit ${missing}`.execute(scope.db)
    ids.push(...rows.map(({ id }) => id))
  }
  const { rows: counted } = await sql<{ total: number }>`
    select count(*)::int as total from (
      select ${of(wanted === undefined ? sql`true` : sql`d.status = ${sql.lit(wanted)}`)} limit ${DELIVERIES_COUNTED_TO}
    ) as few`.execute(scope.db)
  const shown = ids.slice(offset)
  const { rows } = await selectDeliveriesByIds(scope, shown)
  const byId = new Map(rows.map((row) => [row.id, row]))
  return { rows: shown.flatMap((id) => byId.get(id) ?? []), total: counted[0]?.total ?? 0 }
}

export function selectDeliveriesOfCampaign(
  scope: MerchantScope,
  campaignId: string,
  query: DeliveryFilter & { q?: string | undefined; group?: 'a' | 'b' | 'rest' | undefined },
): Promise<{ rows: DeliveryRow[]; total: number }> {
  const wanted = query.q ? `%${query.q.replace(/[\\%_]/g, '\\$&')}%` : null
  return selectDeliveries(scope, {
    where: sql<boolean>`d.campaign_id = ${campaignId}
      and (${query.status ?? null}::text is null or d.status = ${query.status ?? null})
      and (${query.channel ?? null}::text is null or d.channel = ${query.channel ?? null})
      and (${query.group ?? null}::text is null or exists (
        select from messages g where g.merchant_id = ${scope.merchantId} and g.id = d.message_id and g.ab_group = ${query.group ?? null}))
      and (${wanted}::text is null or d.address ilike ${wanted}
        or exists (select from customers c where c.merchant_id = ${scope.merchantId} and c.id = d.customer_id and c.display_name ilike ${wanted})
        or exists (select from line_friends f where f.merchant_id = ${scope.merchantId} and f.line_user_id = d.address
          and d.channel = 'line' and f.display_name ilike ${wanted}))`,
    limit: query.limit,
    offset: query.offset,
  })
}

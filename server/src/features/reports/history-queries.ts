import type { ChannelName, DeliveryView } from '@okaeri/contract/deliveries/delivery'
import { type RawBuilder, sql } from 'kysely'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { deliveryColumns, deliveryJoins } from '../deliveries/index.ts'

export interface HistoryFilter {
  channel: ChannelName
  /** An email, or a LINE message. */
  contentId?: string | undefined
  customerId?: string | undefined
  kind?: DeliveryView['kind'] | undefined
  status?: DeliveryView['status'] | undefined
  /** In the name of the customer, or of the friend on LINE. */
  name?: string | undefined
  /** When it was sent, or written where nothing was sent. */
  from?: Date | undefined
  before?: Date | undefined
}
type Instant = 'created_at' | 'sent_at' | 'opened_at' | 'clicked_at' | 'bounced_at'
export type HistoryRow = Omit<DeliveryView, Instant> & { created_at: Date } & Record<
    Exclude<Instant, 'created_at'>,
    Date | null
  > & { content_name: string | null; content_deleted: boolean }

/** Filters deliveries `d`. The channel is written as the condition of an index has it. */
function matches({ merchantId }: MerchantScope, filter: HistoryFilter): RawBuilder<boolean> {
  const { channel, contentId, customerId, kind, status, name, from, before } = filter
  const pattern = name && `%${name.replace(/[\\%_]/g, '\\$&')}%`
  const at = sql`coalesce(d.sent_at, d.created_at)`
  return sql<boolean>`${sql.join(
    [
      sql`d.merchant_id = ${merchantId} and d.channel = ${sql.lit(channel)}`,
      ...(contentId
        ? [sql`d.message_id in (select id from messages where merchant_id = ${merchantId} and email_id = ${contentId})`]
        : []),
      ...(customerId ? [sql`d.customer_id = ${customerId}`] : []),
      ...(kind ? [sql`d.kind = ${kind}`] : []),
      ...(status ? [sql`d.status = ${status}`] : []),
      ...(pattern
        ? [
            sql`(d.customer_id in (select id from customers where merchant_id = ${merchantId} and display_name ilike ${pattern})
              or d.address in (select line_user_id from line_friends where merchant_id = ${merchantId} and display_name ilike ${pattern}))`,
          ]
        : []),
      ...(from ? [sql`${at} >= ${from}`] : []),
      ...(before ? [sql`${at} < ${before}`] : []),
    ],
    sql` and `,
  )}`
}

interface Part {
  limit: number
  offset?: number
  /** Only what is older than this delivery. */
  after?: string | undefined
}

/** Messages, newest first (ids are made in the order of time). The names are looked up for these rows only. */
export async function selectHistories(
  scope: MerchantScope,
  filter: HistoryFilter,
  { limit, offset = 0, after }: Part,
): Promise<HistoryRow[]> {
  const { merchantId } = scope
  const older = after === undefined ? sql`` : sql`and d.id < ${after}`
  const { rows } = await sql<HistoryRow>`
    select ${deliveryColumns(scope)}, k.name as campaign_name, s.name as scenario_name, coalesce(e.name, l.name) as content_name,
      coalesce(e.deleted_at, l.deleted_at) is not null as content_deleted
    from (
      select * from deliveries d where ${matches(scope, filter)} ${older} order by d.id desc limit ${limit} offset ${offset}
    ) d
    ${deliveryJoins(scope)}
    left join campaigns k on k.merchant_id = ${merchantId} and k.id = d.campaign_id
    left join scenarios s on s.merchant_id = ${merchantId} and s.id = d.scenario_id
    left join emails e on d.channel = 'email' and e.merchant_id = ${merchantId} and e.id = m.email_id
    left join line_messages l on d.channel = 'line' and l.merchant_id = ${merchantId} and l.id = m.email_id
    order by d.id desc`.execute(scope.db)
  return rows
}

/** Counted up to `upTo`, where that is given. */
export async function countHistories(
  scope: MerchantScope,
  filter: HistoryFilter,
  upTo: number | null,
): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*)::int as total from (select from deliveries d where ${matches(scope, filter)} limit ${upTo}) as found`.execute(
    scope.db,
  )
  return rows[0]?.total ?? 0
}

import type { DeliveryView } from '@okaeri/contract/deliveries/delivery'
import { sql } from 'kysely'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { titleGot } from '../deliveries/index.ts'

export interface HistoryFilter {
  email_id?: string | undefined
  customer_id?: string | undefined
  kind?: DeliveryView['kind'] | undefined
}
type Instant = 'created_at' | 'sent_at' | 'opened_at' | 'clicked_at' | 'bounced_at'
export type HistoryRow = Omit<DeliveryView, Instant> & { created_at: Date } & Record<
    Exclude<Instant, 'created_at'>,
    Date | null
  >

/**
 * Messages, newest first (ids are made in the order of time). The names are looked up for the page's rows only, the count needs none.
 */
export async function selectHistories(
  scope: MerchantScope,
  filter: HistoryFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ rows: HistoryRow[]; total: number }> {
  const { merchantId } = scope
  const where = sql.join(
    [
      sql`d.merchant_id = ${merchantId} and d.channel = 'email'`,
      ...(filter.customer_id ? [sql`d.customer_id = ${filter.customer_id}`] : []),
      ...(filter.kind ? [sql`d.kind = ${filter.kind}`] : []),
      ...(filter.email_id
        ? [
            sql`d.message_id in (select id from messages where merchant_id = ${merchantId} and email_id = ${filter.email_id})`,
          ]
        : []),
    ],
    sql` and `,
  )
  const [page, count] = await Promise.all([
    sql<HistoryRow>`
      select d.id, d.kind, d.channel, d.status, d.reason, d.detail, d.customer_id, c.display_name as customer_name, d.address,
        ${titleGot(scope)} as subject, d.campaign_id, k.name as campaign_name, d.scenario_id, s.name as scenario_name,
        d.node_id, m.email_id, d.test_mode, d.attempts, d.created_at, d.sent_at,
        d.opened_at, d.clicked_at, d.bounced_at
      from (select * from deliveries d where ${where} order by d.id desc limit ${limit} offset ${offset}) d
      join messages m on m.merchant_id = ${merchantId} and m.id = d.message_id
      left join customers c on c.merchant_id = ${merchantId} and c.id = d.customer_id
      left join campaigns k on k.merchant_id = ${merchantId} and k.id = d.campaign_id
      left join scenarios s on s.merchant_id = ${merchantId} and s.id = d.scenario_id
      order by d.id desc`.execute(scope.db),
    sql<{ total: number }>`select count(*)::int as total from deliveries d where ${where}`.execute(scope.db),
  ])
  return { rows: page.rows, total: count.rows[0]?.total ?? 0 }
}

import type { DeliveryView } from '@okaeri/contract/deliveries/delivery'
import { sql } from 'kysely'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { deliveryColumns, tablesOfDeliveryColumns } from '../deliveries/index.ts'

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
      select ${deliveryColumns(scope)}, k.name as campaign_name, s.name as scenario_name
      from (select * from deliveries d where ${where} order by d.id desc limit ${limit} offset ${offset}) d
      ${tablesOfDeliveryColumns(scope)}
      left join campaigns k on k.merchant_id = ${merchantId} and k.id = d.campaign_id
      left join scenarios s on s.merchant_id = ${merchantId} and s.id = d.scenario_id
      order by d.id desc`.execute(scope.db),
    sql<{ total: number }>`select count(*)::int as total from deliveries d where ${where}`.execute(scope.db),
  ])
  return { rows: page.rows, total: count.rows[0]?.total ?? 0 }
}

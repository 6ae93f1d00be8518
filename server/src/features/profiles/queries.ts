import type { DeliveryView } from '@okaeri/contract/deliveries/delivery'
import { sql } from 'kysely'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'

type Instants = 'created_at' | 'sent_at' | 'opened_at' | 'clicked_at' | 'bounced_at'
type MessageRow = Omit<DeliveryView, Instants> & { created_at: Date } & Record<
    Exclude<Instants, 'created_at'>,
    Date | null
  >

/** The newest messages to a customer, whatever became of them, with the names of mail and campaign. */
export async function selectMessages(scope: MerchantScope, customerId: string, limit: number): Promise<MessageRow[]> {
  const { rows } = await sql<MessageRow>`
    select d.id, d.kind, d.channel, d.status, d.reason, d.detail, d.customer_id, c.display_name as customer_name, d.address, m.subject,
      d.campaign_id, k.name as campaign_name, m.email_id, d.test_mode, d.attempts, d.created_at, d.sent_at, d.opened_at, d.clicked_at,
      d.bounced_at
    from deliveries d
    left join messages m on m.merchant_id = ${scope.merchantId} and m.id = d.message_id
    left join campaigns k on k.merchant_id = ${scope.merchantId} and k.id = d.campaign_id
    left join customers c on c.merchant_id = ${scope.merchantId} and c.id = d.customer_id
    where d.merchant_id = ${scope.merchantId} and d.customer_id = ${customerId}
    order by d.id desc limit ${limit}
  `.execute(scope.db)
  return rows
}

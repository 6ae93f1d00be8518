import { sql } from 'kysely'
import type { MerchantScope, TransactionScope } from '../../kernel/merchant-scope.ts'

/** When a customer got, opened and clicked mails: minutes since 1970, the oldest first. Every day and hour begins at a minute. */
export interface MailTimes {
  customerId: string
  sentMinutes: number[]
  openedMinutes: number[]
  clickedMinutes: number[]
}

/** Customers without mails have no row. Returns the customers whose times changed. */
export async function writeMailTimes(scope: TransactionScope, times: readonly MailTimes[]): Promise<string[]> {
  const json = JSON.stringify(
    times.map(({ customerId, sentMinutes, openedMinutes, clickedMinutes }) => ({
      customer_id: customerId,
      sent: sentMinutes,
      opened: openedMinutes,
      clicked: clickedMinutes,
    })),
  )
  const given = sql`jsonb_to_recordset(${json}::jsonb) as r (customer_id uuid, sent int[], opened int[], clicked int[])`
  // Two statements: one that does both needs, on Citus, nodes on which nothing of the merchant is.
  const { rows: gone } = await sql<{ customer_id: string }>`
    delete from customer_mail_times t using ${given}
    where t.merchant_id = ${scope.merchantId} and t.customer_id = r.customer_id and r.sent = '{}' returning t.customer_id`.execute(
    scope.db,
  )
  const { rows: written } = await sql<{ customer_id: string }>`
    insert into customer_mail_times as t (merchant_id, customer_id, sent, opened, clicked)
    select ${scope.merchantId}, r.customer_id, r.sent, r.opened, r.clicked from ${given}
    join customers c on c.merchant_id = ${scope.merchantId} and c.id = r.customer_id
    where r.sent <> '{}' order by r.customer_id
    on conflict (merchant_id, customer_id) do update
      set sent = excluded.sent, opened = excluded.opened, clicked = excluded.clicked
      where (t.sent, t.opened, t.clicked) is distinct from (excluded.sent, excluded.opened, excluded.clicked)
    returning t.customer_id`.execute(scope.db)
  return [...gone, ...written].map(({ customer_id }) => customer_id)
}

export async function deleteMailTimes(scope: MerchantScope, customerId: string): Promise<void> {
  await sql`delete from customer_mail_times where merchant_id = ${scope.merchantId} and customer_id = ${customerId}`.execute(
    scope.db,
  )
}

/** Moves the times of one customer to the other. */
export async function mergeMailTimes(scope: MerchantScope, fromId: string, intoId: string): Promise<void> {
  await sql`
    insert into customer_mail_times as t (merchant_id, customer_id, sent, opened, clicked)
    select f.merchant_id, ${intoId}::uuid, f.sent, f.opened, f.clicked from customer_mail_times f
    where f.merchant_id = ${scope.merchantId} and f.customer_id = ${fromId}
    on conflict (merchant_id, customer_id) do update set
      sent = array(select each from unnest(t.sent || excluded.sent) as each order by each),
      opened = array(select each from unnest(t.opened || excluded.opened) as each order by each),
      clicked = array(select each from unnest(t.clicked || excluded.clicked) as each order by each)`.execute(scope.db)
}

import { sql } from 'kysely'
import type { MerchantScope } from '../src/kernel/merchant-scope.ts'
import { newId } from '../src/kernel/ids.ts'

/** Mail that passes the pre-flight check. */
export const GOOD_HTML = `<html><body><p>{{ customer.greeting }}</p><p><a href="https://shop.test/new">新作を見る</a></p>
<p>{{ sender.name }}<br>{{ store.name }}<br>{{ store.postal_address }}<br>{{ store.contact_email }}</p>
<p><a href="{{ unsubscribe_url }}">配信停止はこちら</a></p></body></html>`

export interface NewCustomer {
  email?: string | null
  first_name?: string
  last_name?: string
  marketing_state?: 'granted' | 'withdrawn' | 'unknown' | 'pending'
  created_at?: Date
}

/** Customers as a sync would have left them; answers their ids in order. */
export async function addCustomers(scope: MerchantScope, customers: readonly NewCustomer[]): Promise<string[]> {
  const rows = customers.map((customer, index) => {
    const email = customer.email === undefined ? `customer-${index}@example.test` : customer.email
    return {
      id: newId(),
      email,
      email_key: email?.toLowerCase() ?? null,
      first_name: customer.first_name ?? '花子',
      last_name: customer.last_name ?? `山田${index}`,
      marketing_state: customer.marketing_state ?? 'granted',
      created_at: customer.created_at ?? new Date(scope.now.getTime() + index),
    }
  })
  await sql`
    insert into customers (merchant_id, id, email, email_key, first_name, last_name, display_name, marketing_state, created_at, updated_at)
    select ${scope.merchantId}, r.id, r.email, r.email_key, r.first_name, r.last_name, r.last_name || ' ' || r.first_name,
      r.marketing_state, r.created_at, r.created_at
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (id uuid, email text, email_key text, first_name text,
      last_name text, marketing_state text, created_at timestamptz)`.execute(scope.db)
  return rows.map(({ id }) => id)
}

export async function addEmail(
  scope: MerchantScope,
  email: { subject?: string; content?: string } = {},
): Promise<string> {
  const id = newId()
  const content = email.content ?? GOOD_HTML
  await sql`
    insert into emails (merchant_id, id, name, subject, content, size_bytes, created_at, updated_at)
    values (${scope.merchantId}, ${id}, '春のお知らせ', ${email.subject ?? '{{ customer.last_name }}様、春の新作です'}, ${content},
      ${Buffer.byteLength(content)}, ${scope.now}, ${scope.now})`.execute(scope.db)
  return id
}

/** Whatever the hour is now: mails of the merchant, in Tokyo, go out from so many hours from now on, until so many. */
export async function setSendingHours(scope: MerchantScope, from: number, until: number): Promise<void> {
  const hour = (hours: number): string => `${String((scope.now.getUTCHours() + 9 + hours) % 24).padStart(2, '0')}:00`
  const hours = { enabled: true, start: hour(from), end: hour(until), exclude_post_purchase: false }
  await sql`update merchants set sending_hours = ${JSON.stringify(hours)} where id = ${scope.merchantId}`.execute(
    scope.db,
  )
}

import { sql } from 'kysely'
import type { MerchantScope } from '../src/kernel/merchant-scope.ts'
import { newId } from '../src/kernel/ids.ts'
import { leaseEnd } from '../src/kernel/work/leases.ts'

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

/** For a merchant written into the database: an owner whose address is confirmed, and all that may be sent from or to. */
export async function letSend(scope: MerchantScope): Promise<void> {
  const email = `owner.${scope.merchantId}@shop.test`
  await sql`insert into members (merchant_id, id, email, email_key, role, created_at, email_confirmed_at)
    values (${scope.merchantId}, ${newId()}, ${email}, ${email}, 'owner', ${scope.now}, ${scope.now})`.execute(scope.db)
  await confirmAddresses(scope)
}

/** As if the owners of all addresses of the settings and of the emails had agreed, and of these. */
export async function confirmAddresses(scope: MerchantScope, ...addresses: readonly string[]): Promise<void> {
  await sql`
    insert into address_confirmations (merchant_id, id, purpose, email, email_key, asked_at, expires_at, confirmed_at)
    select ${scope.merchantId}, okaeri_uuidv7(now()), purpose, email, lower(email), now(), now(), now()
    from (
      select 'test' as purpose, unnest(test_emails) as email from merchants where id = ${scope.merchantId}
      union select 'test', staff_email from merchants where id = ${scope.merchantId} and staff_email is not null
      union select 'sender', sender_email from merchants where id = ${scope.merchantId}
      union select 'sender', from_email from emails where merchant_id = ${scope.merchantId} and from_email is not null
      union select p, a from unnest(array['test', 'sender']) p, unnest(${[...addresses]}::text[]) a
    ) used
    on conflict (merchant_id, purpose, email_key) do update set confirmed_at = excluded.confirmed_at`.execute(scope.db)
}

/** The mail of a message that was written into the database. */
export async function addMail(
  scope: MerchantScope,
  { messageId, subject, html }: { messageId: string; subject: string; html: string },
): Promise<void> {
  await sql`insert into email_contents (merchant_id, message_id, subject, preheader, from_name, from_email, html, text)
    values (${scope.merchantId}, ${messageId}, ${subject}, '', 'テスト商店', 'shop@shop.test', ${html}, '新茶')`.execute(
    scope.db,
  )
}

/** A copy of the store that is under way, which no worker takes further. */
export async function beginCopying(scope: MerchantScope): Promise<void> {
  const runId = newId()
  // Another worker has it, for less than what counts as a clock set back.
  await sql`insert into sync_runs (merchant_id, id, status, started_at, lease_id, lease_expires_at)
    values (${scope.merchantId}, ${runId}, 'running', ${scope.now}, ${newId()}, ${leaseEnd(14 * 60_000)})`.execute(
    scope.db,
  )
  await sql`insert into sync_steps (merchant_id, sync_run_id, kind, position, status)
    select ${scope.merchantId}, ${runId}, kind, position, 'waiting'
    from unnest(array['customers', 'orders']) with ordinality as k (kind, position)`.execute(scope.db)
}

/** As if all the customers had come, and the orders not yet. */
export const copyCustomers = async (scope: MerchantScope): Promise<unknown> =>
  sql`update sync_steps set status = 'done', finished_at = ${scope.now}
    where merchant_id = ${scope.merchantId} and kind = 'customers'`.execute(scope.db)

/** As if what is being copied had all come. */
export async function finishCopying(scope: MerchantScope): Promise<void> {
  await sql`update sync_steps set status = 'done', finished_at = ${scope.now} where merchant_id = ${scope.merchantId}`.execute(
    scope.db,
  )
  await sql`update sync_runs set status = 'done', finished_at = ${scope.now}
    where merchant_id = ${scope.merchantId} and status = 'running'`.execute(scope.db)
}

/** Customers as a sync would have left them; returns their ids in order. */
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

/** At any hour: the merchant's mails, in Tokyo, go out from this many hours from now on, until this many. */
export async function setSendingHours(scope: MerchantScope, from: number, until: number): Promise<void> {
  const hour = (hours: number): string => `${String((scope.now.getUTCHours() + 9 + hours) % 24).padStart(2, '0')}:00`
  const hours = { enabled: true, start: hour(from), end: hour(until), exclude_post_purchase: false }
  await sql`update merchants set sending_hours = ${JSON.stringify(hours)} where id = ${scope.merchantId}`.execute(
    scope.db,
  )
}

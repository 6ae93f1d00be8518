import type { ConsentState } from '@okaeri/contract/customers/customer'
import { sql } from 'kysely'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'

export interface RecipientRow {
  addressKey: string | null
  customerId: string | null
  isTest: boolean
  language: string | null
}

/**
 * Who a mail was for: the address it went to, or else the customer's. Of a mail in several languages the one they got, as far as that is known;
 * else the customer's.
 */
export async function findRecipient(scope: MerchantScope, deliveryId: string): Promise<RecipientRow | null> {
  const { rows } = await sql<RecipientRow>`
    select coalesce(lower(d.address), c.email_key) as "addressKey", c.id as "customerId",
      (d.test_mode or d.kind = 'test') as "isTest",
      case when d.language is not null then d.language
        when v.has then coalesce(e.language, m.language)
        else c.language end as language
    from deliveries d
    join merchants m on m.id = d.merchant_id
    left join customers c on c.merchant_id = d.merchant_id and c.id = d.customer_id
    left join email_contents e on e.merchant_id = d.merchant_id and e.message_id = d.message_id
    cross join lateral (select exists (
      select from email_content_variants l where l.merchant_id = ${scope.merchantId} and l.message_id = d.message_id) as has) v
    where d.merchant_id = ${scope.merchantId} and d.id = ${deliveryId}`.execute(scope.db)
  return rows[0] ?? null
}

/** Of who has this address, the customer the mail was for before others. */
export async function selectLanguage(
  scope: MerchantScope,
  { addressKey, customerId }: { addressKey: string; customerId: string | null },
): Promise<string | null> {
  const { rows } = await sql<{ language: string | null }>`
    select language from customers where merchant_id = ${scope.merchantId} and email_key = ${addressKey}
    order by id = ${customerId}::uuid desc nulls last, created_at, id limit 1`.execute(scope.db)
  return rows[0]?.language ?? null
}

export interface Permission {
  /** Anyone at this address, or the customer the mail was for, has not opted out. */
  reachable: boolean
  /** Anyone at this address gave the permission. */
  granted: boolean
  /** No customer with this address refused notifications. */
  notified: boolean
}

export async function readPermission(
  scope: MerchantScope,
  of: { addressKey: string; customerId: string | null },
): Promise<Permission> {
  const { rows } = await sql<Permission>`
    select coalesce(bool_or(marketing_state <> 'withdrawn'), false) as reachable,
      coalesce(bool_or(marketing_state = 'granted' and email_key = ${of.addressKey}), false) as granted,
      coalesce(bool_and(notification_state <> 'withdrawn') filter (where email_key = ${of.addressKey}), true) as notified
    from customers where merchant_id = ${scope.merchantId}
      and (email_key = ${of.addressKey} or id = ${of.customerId}::uuid)`.execute(scope.db)
  return rows[0] ?? { reachable: false, granted: false, notified: true }
}

export async function findOwn(
  scope: MerchantScope,
  customerId: string,
): Promise<{ email: string | null; state: ConsentState } | null> {
  const { rows } = await sql<{ email: string | null; state: ConsentState }>`
    select email, marketing_state as state from customers where merchant_id = ${scope.merchantId} and id = ${customerId}
  `.execute(scope.db)
  return rows[0] ?? null
}

/** Whether a customer with this address refused. */
export async function hasSaidNo(scope: MerchantScope, addressKey: string): Promise<boolean> {
  const { rows } = await sql`
    select from customers where merchant_id = ${scope.merchantId} and email_key = ${addressKey}
      and marketing_state = 'withdrawn' limit 1`.execute(scope.db)
  return rows.length > 0
}

/** Whether there is a customer with this address, and all with it gave the permission. */
export async function isSubscribed(scope: MerchantScope, addressKey: string): Promise<boolean> {
  const { rows } = await sql<{ subscribed: boolean }>`
    select coalesce(bool_and(marketing_state = 'granted'), false) as subscribed
    from customers where merchant_id = ${scope.merchantId} and email_key = ${addressKey}`.execute(scope.db)
  return rows[0]?.subscribed ?? false
}

export async function isKnown(scope: MerchantScope, addressKey: string): Promise<boolean> {
  const { rows } = await sql`
    select from customers where merchant_id = ${scope.merchantId} and email_key = ${addressKey} limit 1`.execute(
    scope.db,
  )
  return rows.length > 0
}

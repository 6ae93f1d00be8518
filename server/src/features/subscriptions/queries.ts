import { sql } from 'kysely'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'

export interface RecipientRow {
  addressKey: string | null
  customerId: string | null
  isTest: boolean
  language: string | null
}

/** Who a mail was for: the address it went to, or else the customer's. */
export async function findRecipient(scope: MerchantScope, deliveryId: string): Promise<RecipientRow | null> {
  const { rows } = await sql<RecipientRow>`
    select coalesce(lower(d.address), c.email_key) as "addressKey", c.id as "customerId",
      (d.test_mode or d.kind = 'test') as "isTest", c.language
    from deliveries d
    left join customers c on c.merchant_id = d.merchant_id and c.id = d.customer_id
    where d.merchant_id = ${scope.merchantId} and d.id = ${deliveryId}`.execute(scope.db)
  return rows[0] ?? null
}

export interface Permission {
  /** Anyone at this address, or the customer the mail was for, has not opted out. */
  reachable: boolean
  /** Anyone at this address gave the permission. */
  granted: boolean
}

export async function readPermission(
  scope: MerchantScope,
  of: { addressKey: string; customerId: string | null },
): Promise<Permission> {
  const { rows } = await sql<Permission>`
    select coalesce(bool_or(marketing_state <> 'withdrawn'), false) as reachable,
      coalesce(bool_or(marketing_state = 'granted' and email_key = ${of.addressKey}), false) as granted
    from customers where merchant_id = ${scope.merchantId}
      and (email_key = ${of.addressKey} or id = ${of.customerId}::uuid)`.execute(scope.db)
  return rows[0] ?? { reachable: false, granted: false }
}

/** What is known of an address: nobody has it, somebody with it opted out, or neither. */
export async function findStanding(
  scope: MerchantScope,
  addressKey: string,
): Promise<'unknown' | 'opted_out' | 'known'> {
  const { rows } = await sql<{ count: number; withdrawn: number }>`
    select count(*)::int as count, count(*) filter (where marketing_state = 'withdrawn')::int as withdrawn
    from customers where merchant_id = ${scope.merchantId} and email_key = ${addressKey}`.execute(scope.db)
  const [row] = rows
  if (!row || row.count === 0) return 'unknown'
  return row.withdrawn > 0 ? 'opted_out' : 'known'
}

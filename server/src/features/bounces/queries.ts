import type { BounceKind } from '@okaeri/contract/bounces/bounce'
import { sql } from 'kysely'
import { newId } from '../../kernel/ids.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { type BounceHistory, DOUBTED_WITHIN_DAYS, SOFT_WITHIN_DAYS } from './decision.ts'

/** A mail that came back is back within this; what left before it and did not come back arrived. */
const ARRIVED_AFTER_DAYS = 3

export interface ReturnedDelivery {
  /** In lower case; null where the person was forgotten. */
  addressKey: string | null
  /** Whether it went to test addresses: what comes back is not the customer's. */
  isTest: boolean
  sentAt: Date | null
}

/** Null where there is no such mail, or none of it can have left. */
export async function findReturnedDelivery(scope: MerchantScope, id: string): Promise<ReturnedDelivery | null> {
  const { rows } = await sql<ReturnedDelivery>`
    select lower(d.address) as "addressKey", d.test_mode or d.kind = 'test' as "isTest", d.sent_at as "sentAt"
    from deliveries d
    where d.merchant_id = ${scope.merchantId} and d.id = ${id} and d.channel = 'email'
      and d.status in ('sending', 'sent', 'uncertain', 'failed')
    for no key update
  `.execute(scope.db)
  return rows[0] ?? null
}

export interface NewBounce {
  deliveryId: string
  addressKey: string
  kind: BounceKind
  isDoubted: boolean
  way: 'refused' | 'smtp' | 'imap' | 'ses' | 'sendgrid'
  matchedBy: 'delivery' | 'return_path' | 'message_id' | 'link' | 'recipient'
  status: string | null
  server: string | null
  diagnostic: string | null
  evidence: string | null
}

/** Returns false where the same was said of the same mail before. What is signed replaces what is not. */
export async function insertBounce(scope: MerchantScope, bounce: NewBounce): Promise<boolean> {
  const { rows } = await sql`
    insert into bounces (merchant_id, id, delivery_id, address_key, verdict, is_doubted, way, matched_by, status, server, diagnostic,
      evidence, at)
    values (${scope.merchantId}, ${newId()}, ${bounce.deliveryId}, ${bounce.addressKey}, ${bounce.kind}, ${bounce.isDoubted},
      ${bounce.way}, ${bounce.matchedBy}, ${bounce.status}, ${bounce.server}, ${bounce.diagnostic}, ${bounce.evidence}, ${scope.now})
    on conflict (merchant_id, delivery_id, verdict) do update set is_doubted = excluded.is_doubted, way = excluded.way,
      matched_by = excluded.matched_by, status = excluded.status, server = excluded.server, diagnostic = excluded.diagnostic,
      evidence = excluded.evidence, at = excluded.at
      where bounces.matched_by = 'recipient' and excluded.matched_by <> 'recipient'
    returning id
  `.execute(scope.db)
  return rows.length > 0
}

/** A customer removed here: nothing that names their address is kept, unless another customer has it. */
export async function clearAddress(scope: MerchantScope, addressKey: string): Promise<void> {
  await sql`
    update bounces set address_key = null, server = null, diagnostic = null, evidence = null
    where merchant_id = ${scope.merchantId} and address_key = ${addressKey} and not exists (
      select from customers c where c.merchant_id = ${scope.merchantId} and c.email_key = ${addressKey})
  `.execute(scope.db)
}

const CLEARED_AT_ONCE = 2_000

/** The words of reports from before then go; what was made of them stays. Returns whether there were any. */
export async function clearEvidence(scope: MerchantScope, before: Date): Promise<boolean> {
  const { rows } = await sql`
    update bounces set evidence = null
    where merchant_id = ${scope.merchantId} and id in (
      select id from bounces where merchant_id = ${scope.merchantId} and evidence is not null and at < ${before}
      order by at limit ${CLEARED_AT_ONCE})
    returning id`.execute(scope.db)
  return rows.length > 0
}

/**
 * Days, of the merchant's zone, on which mails to an address came back since something last arrived there: was opened, or left three days
 * ago and did not come back. Reports that could be forged do not count.
 */
export async function readHistory(scope: MerchantScope, addressKey: string): Promise<BounceHistory> {
  const { merchantId, now } = scope
  const ago = (days: number): Date => new Date(now.getTime() - days * 86_400_000)
  const { rows } = await sql<BounceHistory>`
    with arrived as (
      select max(greatest(d.opened_at, d.clicked_at,
        case when d.bounced_at is null and d.sent_at <= ${ago(ARRIVED_AFTER_DAYS)} then d.sent_at end)) as at
      from customers c join deliveries d on d.merchant_id = ${merchantId} and d.customer_id = c.id
      where c.merchant_id = ${merchantId} and c.email_key = ${addressKey} and d.channel = 'email' and d.status = 'sent'
        and not d.test_mode and d.kind <> 'test' and lower(d.address) = ${addressKey}
    ), returned as (
      select b.verdict, b.is_doubted, b.at, (b.at at time zone m.timezone)::date as day
      from bounces b join merchants m on m.id = b.merchant_id
      where b.merchant_id = ${merchantId} and b.address_key = ${addressKey} and b.matched_by <> 'recipient'
        and b.at > coalesce((select at from arrived), '-infinity')
    )
    select count(distinct day) filter (where verdict in ('soft', 'full') and at > ${ago(SOFT_WITHIN_DAYS)})::int as "softDays",
      count(distinct day) filter (where is_doubted and at > ${ago(DOUBTED_WITHIN_DAYS)})::int as "doubtedDays"
    from returned
  `.execute(scope.db)
  return rows[0] ?? { softDays: 0, doubtedDays: 0 }
}

export interface BounceRow {
  id: string
  delivery_id: string
  kind: BounceKind
  doubted: boolean
  way: NewBounce['way']
  status: string | null
  server: string | null
  diagnostic: string | null
  evidence: string | null
  at: Date
}

/** The newest first. */
export async function selectBounces(scope: MerchantScope, addressKey: string, limit: number): Promise<BounceRow[]> {
  const { rows } = await sql<BounceRow>`
    select id, delivery_id, verdict as kind, is_doubted as doubted, way, status, server, diagnostic, evidence, at
    from bounces where merchant_id = ${scope.merchantId} and address_key = ${addressKey}
    order by at desc, id desc limit ${limit}
  `.execute(scope.db)
  return rows
}

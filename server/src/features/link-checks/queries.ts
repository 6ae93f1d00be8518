import { sql } from 'kysely'
import type { UnknownBecause } from '../../integrations/webhook/index.ts'
import { isFree, leaseEnd } from '../../kernel/work/leases.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'

export type AddressKind = 'page' | 'picture' | 'coupon'

export interface AddressCheck {
  /** Null: never yet; what follows is null too. */
  checked_at: Date | null
  outcome: 'answers' | 'gone' | 'no_host' | 'unknown' | null
  status: number | null
  reason: UnknownBecause | 'store' | null
  leads_to: string | null
  size_bytes: number | null
  /** For a coupon; null: at once, never, without a limit. */
  begins_at: Date | null
  ends_at: Date | null
  uses_left: number | null
}

interface KeyedAddress {
  key: string
  kind: AddressKind
  address: string
}

/**
 * Those that wait already, or were looked at after `since`, stay as they are. It is written out: on Citus a parameter in what an
 * "insert … select" does on a conflict has no type.
 */
export async function insertAsked(
  scope: MerchantScope,
  addresses: readonly KeyedAddress[],
  { since }: { since: Date },
): Promise<void> {
  await sql`
    insert into checked_addresses as c (merchant_id, key, kind, target, asked_at)
    select ${scope.merchantId}, r.key, r.kind, r.address, ${scope.now}
    from jsonb_to_recordset(${JSON.stringify(addresses)}::jsonb) as r(key text, kind text, address text)
    order by r.key
    on conflict (merchant_id, key) do update set asked_at = excluded.asked_at, is_due = true
    where not c.is_due and (c.checked_at is null or c.checked_at < ${sql.lit(since)} or c.checked_at > excluded.asked_at)`.execute(
    scope.db,
  )
}

export interface CheckedRow extends AddressCheck {
  key: string
  is_due: boolean
}

export async function selectChecked(scope: MerchantScope, keys: readonly string[]): Promise<CheckedRow[]> {
  const { rows } = await sql<CheckedRow>`
    select key, is_due, checked_at, outcome, status, reason, leads_to, size_bytes, begins_at, ends_at, uses_left
    from checked_addresses where merchant_id = ${scope.merchantId} and key = any(${[...keys]}::text[])`.execute(
    scope.db,
  )
  return rows
}

/** The first of those that wait, claimed for so long. */
export async function claimAsked(
  scope: MerchantScope,
  { limit, leaseMs }: { limit: number; leaseMs: number },
): Promise<KeyedAddress[]> {
  const { rows } = await sql<KeyedAddress>`
    with due as materialized (
      select key from checked_addresses where merchant_id = ${scope.merchantId} and is_due and ${isFree}
      order by asked_at, key limit ${limit} for update skip locked
    )
    update checked_addresses c set lease_expires_at = ${leaseEnd(leaseMs)} from due
    where c.merchant_id = ${scope.merchantId} and c.key = due.key
    returning c.key, c.kind, c.target as address`.execute(scope.db)
  return rows
}

/** If two workers checked it, the later result counts. */
export async function updateChecked(
  scope: MerchantScope,
  key: string,
  seen: Omit<AddressCheck, 'checked_at'>,
): Promise<void> {
  await scope.db
    .updateTable('checked_addresses')
    .set({ ...seen, checked_at: scope.now, is_due: false, lease_expires_at: null })
    .where('merchant_id', '=', scope.merchantId)
    .where('key', '=', key)
    .execute()
}

/** So many at a time: each asking takes some away. */
export async function deleteUnasked(scope: MerchantScope, before: Date, limit: number): Promise<void> {
  await sql`delete from checked_addresses where merchant_id = ${scope.merchantId} and key = any(array(
    select key from checked_addresses where merchant_id = ${scope.merchantId} and asked_at < ${before} limit ${limit}))`.execute(
    scope.db,
  )
}

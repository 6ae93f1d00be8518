import type { ConsentChange, ConsentKind, ConsentState, SuppressionReason } from '@okaeri/contract/customers/customer'
import { sql } from 'kysely'
import { newId } from '../../kernel/ids.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import type { ConsentSource } from './consent-rule.ts'

export interface ChangeRow {
  customerId: string
  kind: ConsentKind
  from: ConsentState
  to: ConsentState
  source: ConsentSource
  wording: string | null
  page: string | null
  deliveryId: string | null
  occurredAt: Date
}

export async function appendChanges(scope: MerchantScope, changes: readonly ChangeRow[]): Promise<void> {
  const column = <T>(read: (change: ChangeRow) => T): T[] => changes.map(read)
  await sql`
    insert into consent_changes (merchant_id, id, customer_id, kind, from_state, to_state, source, wording, page, delivery_id,
      occurred_at, recorded_at)
    select ${scope.merchantId}, r.*, ${scope.now} from unnest(
      ${column(() => newId())}::uuid[], ${column((change) => change.customerId)}::uuid[],
      ${column((change) => change.kind)}::text[], ${column((change) => change.from)}::text[],
      ${column((change) => change.to)}::text[], ${column((change) => change.source)}::text[],
      ${column((change) => change.wording)}::text[], ${column((change) => change.page)}::text[],
      ${column((change) => change.deliveryId)}::uuid[], ${column((change) => change.occurredAt)}::timestamptz[]) as r
  `.execute(scope.db)
}

export async function selectChanges(scope: MerchantScope, customerId: string, limit: number): Promise<ConsentChange[]> {
  const { rows } = await sql<Omit<ConsentChange, 'occurred_at'> & { occurred_at: Date }>`
    select id, kind, from_state as from, to_state as to, source, wording, page, occurred_at from consent_changes
    where merchant_id = ${scope.merchantId} and customer_id = ${customerId} order by id desc limit ${limit}
  `.execute(scope.db)
  return rows.map((row) => ({ ...row, occurred_at: row.occurred_at.toISOString() }))
}

export async function deleteChanges(scope: MerchantScope, customerId: string): Promise<void> {
  await sql`
    delete from consent_changes where merchant_id = ${scope.merchantId} and customer_id = ${customerId}
  `.execute(scope.db)
}

export interface PushRow {
  storeCustomerId: number | null
  email: string | null
  state: ConsentState
  changedAt: Date | null
}
/** What the store has to be told about a customer. */
export async function findPushRow(scope: MerchantScope, customerId: string): Promise<PushRow | null> {
  const { rows } = await sql<PushRow>`
    select store_customer_id as "storeCustomerId", email, marketing_state as state, marketing_changed_at as "changedAt"
    from customers where merchant_id = ${scope.merchantId} and id = ${customerId}
  `.execute(scope.db)
  return rows[0] ?? null
}

export async function insertSuppression(
  scope: MerchantScope,
  suppression: { addressKey: string; reason: SuppressionReason; detail: string | null },
): Promise<boolean> {
  const { rows } = await sql`
    insert into suppressions (merchant_id, id, address_key, reason, detail, created_at)
    values (${scope.merchantId}, ${newId()}, ${suppression.addressKey}, ${suppression.reason}, ${suppression.detail}, ${scope.now})
    on conflict (merchant_id, channel, address_key) where lifted_at is null do nothing returning id
  `.execute(scope.db)
  return rows.length > 0
}

export async function markLifted(scope: MerchantScope, addressKey: string): Promise<boolean> {
  const { rows } = await sql`
    update suppressions set lifted_at = ${scope.now}
    where merchant_id = ${scope.merchantId} and channel = 'email' and address_key = ${addressKey} and lifted_at is null
    returning id
  `.execute(scope.db)
  return rows.length > 0
}

export async function selectSuppressions(
  scope: MerchantScope,
  addressKeys: readonly string[],
): Promise<{ addressKey: string; reason: SuppressionReason }[]> {
  const { rows } = await sql<{ addressKey: string; reason: SuppressionReason }>`
    select address_key as "addressKey", reason from suppressions
    where merchant_id = ${scope.merchantId} and channel = 'email' and address_key = any(${addressKeys}::text[]) and lifted_at is null
  `.execute(scope.db)
  return rows
}

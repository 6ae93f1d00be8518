import type { ConsentChange, ConsentKind, ConsentState } from '@okaeri/contract/customers/customer'
import { sql } from 'kysely'
import { copyRows } from '../../kernel/database/copy-in.ts'
import type { Copy } from '../../kernel/database/copying-client.ts'
import { idsOneByOne, newIds } from '../../kernel/ids.ts'
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
    select ${scope.merchantId}, r.id, r.customer_id, r.kind, r.from_state, r.to_state, r.source, r.wording, r.page, r.delivery_id,
      to_timestamp(r.occurred_ms / 1000), ${scope.now}
    from unnest(
      ${newIds(changes.length)}::uuid[], ${column((change) => change.customerId)}::uuid[],
      ${column((change) => change.kind)}::text[], ${column((change) => change.from)}::text[],
      ${column((change) => change.to)}::text[], ${column((change) => change.source)}::text[],
      ${column((change) => change.wording)}::text[], ${column((change) => change.page)}::text[],
      ${column((change) => change.deliveryId)}::uuid[], ${column((change) => change.occurredAt.getTime())}::float8[]
    ) as r(id, customer_id, kind, from_state, to_state, source, wording, page, delivery_id, occurred_ms)
  `.execute(scope.db)
}

/** The first that is known of customers put in in bulk, encoded as the database takes them in. */
export interface FirstConsentRows {
  /** Returns the row's number. */
  add(consent: FirstConsent): number
  /** What writes the rows with these numbers. */
  copy(chosen: readonly number[]): Copy
  /** They are written and committed. */
  release(): void
}
export interface FirstConsent {
  customerId: string
  kind: ConsentKind
  to: ConsentState
  source: ConsentSource
  wording: string | null
  page: string | null
  occurredAt: Date
}

const IDS_AT_ONCE = 500

export function firstConsentRows(scope: MerchantScope): FirstConsentRows {
  const rows = copyRows(
    scope,
    `copy consent_changes (merchant_id, id, customer_id, kind, from_state, to_state, source, wording, page,
    occurred_at, recorded_at) from stdin (format binary)`,
  )
  const nextId = idsOneByOne(IDS_AT_ONCE)
  return {
    add({ customerId, kind, to, source, wording, page, occurredAt }) {
      const number = rows.row()
      rows.uuid(nextId())
      rows.uuid(customerId)
      rows.text(kind)
      rows.text('unknown')
      rows.text(to)
      rows.text(source)
      rows.text(wording)
      rows.text(page)
      rows.timestamptz(occurredAt)
      rows.timestamptz(scope.now)
      return number
    },
    copy: (chosen) => ({ rows, chosen }),
    release: rows.release,
  }
}

export async function selectChanges(scope: MerchantScope, customerId: string, limit: number): Promise<ConsentChange[]> {
  const { rows } = await sql<Omit<ConsentChange, 'occurred_at'> & { occurred_at: Date }>`
    select id, kind, from_state as from, to_state as to, source, wording, page, occurred_at from consent_changes
    where merchant_id = ${scope.merchantId} and customer_id = ${customerId} order by id desc limit ${limit}
  `.execute(scope.db)
  return rows.map((row) => ({ ...row, occurred_at: row.occurred_at.toISOString() }))
}

/** Whether the last word about either permission was no. */
export async function hasOptedOut(scope: MerchantScope, customerId: string): Promise<boolean> {
  const { rows } = await sql<{ state: ConsentState }>`
    select distinct on (kind) to_state as state from consent_changes
    where merchant_id = ${scope.merchantId} and customer_id = ${customerId}
    order by kind, occurred_at desc, id desc
  `.execute(scope.db)
  return rows.some(({ state }) => state === 'withdrawn')
}

export async function deleteChanges(scope: MerchantScope, customerId: string): Promise<void> {
  await sql`
    delete from consent_changes where merchant_id = ${scope.merchantId} and customer_id = ${customerId}
  `.execute(scope.db)
}

export async function moveChanges(scope: MerchantScope, fromId: string, intoId: string): Promise<void> {
  await sql`
    update consent_changes set customer_id = ${intoId} where merchant_id = ${scope.merchantId} and customer_id = ${fromId}
  `.execute(scope.db)
}

export interface PushRow {
  storeCustomerId: number | null
  email: string | null
  state: ConsentState
  changedAt: Date | null
}
/** What the store must be sent about a customer. */
export async function findPushRow(scope: MerchantScope, customerId: string): Promise<PushRow | null> {
  const { rows } = await sql<PushRow>`
    select store_customer_id as "storeCustomerId", email, marketing_state as state, marketing_changed_at as "changedAt"
    from customers where merchant_id = ${scope.merchantId} and id = ${customerId}
  `.execute(scope.db)
  return rows[0] ?? null
}

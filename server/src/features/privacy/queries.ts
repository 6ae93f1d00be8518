import { sql } from 'kysely'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'

export interface RequestRow {
  id: string
  kind: 'data_request' | 'customer_redact' | 'shop_redact'
  source: 'store' | 'member'
  status: 'waiting' | 'done' | 'skipped' | 'failed'
  person_hash: string | null
  sealed: string | null
  customer_id: string | null
  customer_name: string | null
  received_at: Date
  due_at: Date
  done_at: Date | null
  outcome: Record<string, number>
  skip_reason: 'store_connected' | null
  sweep_at: Date | null
  attempts: number
  size_bytes: number | null
  expires_at: Date | null
}

export async function insertRequest(
  scope: MerchantScope,
  request: {
    id: string
    kind: RequestRow['kind']
    source: RequestRow['source']
    eventKey: string
    personHash: string | null
    sealed: string | null
    dueAt: Date
  },
): Promise<boolean> {
  const { rows } = await sql`
    insert into privacy_requests (merchant_id, id, kind, source, event_key, status, person_hash, sealed, member_id, received_at, due_at,
      next_attempt_at)
    values (${scope.merchantId}, ${request.id}, ${request.kind}, ${request.source}, ${request.eventKey}, 'waiting',
      ${request.personHash}, ${request.sealed}, ${scope.memberId}, ${scope.now}, ${request.dueAt}, ${scope.now})
    on conflict (merchant_id, event_key) do nothing returning id
  `.execute(scope.db)
  return rows.length > 0
}

const shown = (scope: MerchantScope) => sql`
  select r.id, r.kind, r.source, r.status, r.person_hash, r.sealed, r.customer_id, c.display_name as customer_name, r.received_at,
    r.due_at, r.done_at, r.outcome, r.skip_reason, r.sweep_at, r.attempts, f.size_bytes, f.expires_at
  from privacy_requests r
  left join privacy_files f on f.merchant_id = ${scope.merchantId} and f.id = r.id
  left join customers c on c.merchant_id = ${scope.merchantId} and c.id = r.customer_id
  where r.merchant_id = ${scope.merchantId}`

export async function selectRequest(scope: MerchantScope, id: string): Promise<RequestRow | null> {
  const { rows } = await sql<RequestRow>`${shown(scope)} and r.id = ${id}`.execute(scope.db)
  return rows[0] ?? null
}

export async function selectRequests(
  scope: MerchantScope,
  page: { limit: number; offset: number },
): Promise<{ rows: RequestRow[]; total: number }> {
  const [{ rows }, counted] = await Promise.all([
    sql<RequestRow>`
      ${shown(scope)} order by r.received_at desc, r.id desc limit ${page.limit} offset ${page.offset}
    `.execute(scope.db),
    sql<{ count: number }>`
      select count(*) as count from privacy_requests where merchant_id = ${scope.merchantId}
    `.execute(scope.db),
  ])
  return { rows, total: counted.rows[0]?.count ?? 0 }
}

/** A data request that fails this often no longer delays an erasure. */
const TRIES_WAITED_FOR = 10
/** Of a due request `r`: a person's data is exported before it is erased, in whichever order the two were requested. */
const mayBegin = ({ merchantId }: MerchantScope) => sql`not (r.kind = 'customer_redact' and exists (
  select from privacy_requests t where t.merchant_id = ${merchantId} and t.kind = 'data_request' and t.status = 'waiting'
    and t.person_hash = r.person_hash and t.attempts < ${TRIES_WAITED_FOR}))`

/** The due ones, in the order of arrival. */
export async function listDueRequests(
  scope: MerchantScope,
  limit: number,
): Promise<{ id: string; kind: RequestRow['kind'] }[]> {
  const { rows } = await sql<{ id: string; kind: RequestRow['kind'] }>`
    select r.id, r.kind from privacy_requests r
    where r.merchant_id = ${scope.merchantId} and r.next_attempt_at <= ${scope.now} and ${mayBegin(scope)}
    order by r.received_at, r.id limit ${limit}
  `.execute(scope.db)
  return rows
}

/** Locked until the transaction ends; null if another worker has it or it is no longer due. */
export async function claimRequest(scope: MerchantScope, id: string): Promise<RequestRow | null> {
  const { rows } = await sql`
    select r.id from privacy_requests r
    where r.merchant_id = ${scope.merchantId} and r.id = ${id} and r.next_attempt_at <= ${scope.now} and ${mayBegin(scope)}
    for update of r skip locked
  `.execute(scope.db)
  return rows.length === 0 ? null : selectRequest(scope, id)
}

/** Stores the result and when to continue; `nextAt` null: nothing is left to do. */
export async function markWorked(
  scope: MerchantScope,
  id: string,
  result: {
    status: RequestRow['status']
    outcome?: Record<string, number>
    skipReason?: string | null
    sealed: string | null
    customerId?: string | null
    sweepAt?: Date | null
    nextAt: Date | null
  },
): Promise<void> {
  await sql`
    update privacy_requests set status = ${result.status}, done_at = coalesce(done_at, ${scope.now}), attempts = 0, error = null,
      outcome = ${result.outcome === undefined ? sql`outcome` : sql`${JSON.stringify(result.outcome)}::jsonb`},
      skip_reason = ${result.skipReason ?? null}, sealed = ${result.sealed}, customer_id = ${result.customerId ?? null},
      sweep_at = ${result.sweepAt ?? null}, next_attempt_at = ${result.nextAt}
    where merchant_id = ${scope.merchantId} and id = ${id}
  `.execute(scope.db)
}

/** `error` names no person: the kind of error alone. */
export async function markFailedTry(
  scope: MerchantScope,
  id: string,
  failure: { error: string; nextAttemptAt: Date },
): Promise<void> {
  await sql`
    update privacy_requests set attempts = attempts + 1, error = ${failure.error}, next_attempt_at = ${failure.nextAttemptAt}
    where merchant_id = ${scope.merchantId} and id = ${id}
  `.execute(scope.db)
}

export async function countTries(scope: MerchantScope, id: string): Promise<number> {
  const { rows } = await sql<{ attempts: number }>`
    select attempts from privacy_requests where merchant_id = ${scope.merchantId} and id = ${id}
  `.execute(scope.db)
  return rows[0]?.attempts ?? 0
}

export async function insertFile(
  scope: MerchantScope,
  file: { id: string; sealed: string; sizeBytes: number; expiresAt: Date },
): Promise<void> {
  await sql`
    insert into privacy_files (merchant_id, id, sealed, size_bytes, created_at, expires_at)
    values (${scope.merchantId}, ${file.id}, ${file.sealed}, ${file.sizeBytes}, ${scope.now}, ${file.expiresAt})
    on conflict (merchant_id, id) do nothing
  `.execute(scope.db)
}

export async function findFile(scope: MerchantScope, id: string): Promise<string | null> {
  const { rows } = await sql<{ sealed: string }>`
    select sealed from privacy_files where merchant_id = ${scope.merchantId} and id = ${id} and expires_at > ${scope.now}
  `.execute(scope.db)
  return rows[0]?.sealed ?? null
}

export async function deleteFile(scope: MerchantScope, id: string): Promise<void> {
  await sql`delete from privacy_files where merchant_id = ${scope.merchantId} and id = ${id}`.execute(scope.db)
}

export async function findGuestIds(scope: MerchantScope, customerIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from guests where merchant_id = ${scope.merchantId} and customer_id = any(${customerIds}::uuid[])
  `.execute(scope.db)
  return rows.map(({ id }) => id)
}

/** After a store's erasure only the record of this request stays. */
export async function deleteOtherRequests(scope: MerchantScope, id: string): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from privacy_requests where merchant_id = ${scope.merchantId} and id <> ${id}
  `.execute(scope.db)
  return Number(numAffectedRows ?? 0n)
}

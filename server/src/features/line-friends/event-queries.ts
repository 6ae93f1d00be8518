import { sql } from 'kysely'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'

export interface NewEvent {
  id: string
  eventId: string
  lineUserId: string | null
  type: string
  /** JSON that can be stored. */
  body: string
  happenedAt: Date
}
export interface EventRow {
  id: string
  line_user_id: string | null
  type: string
  event: Record<string, unknown>
  happened_at: Date
  received_at: Date
  attempts: number
}

/** Returns the ids of those that did not come before. */
export async function insertEvents(scope: MerchantScope, events: readonly NewEvent[]): Promise<string[]> {
  const once = [...new Map(events.map((event) => [event.eventId, event])).values()]
  const { rows } = await sql<{ id: string }>`
    insert into line_events (merchant_id, id, event_id, line_user_id, type, event, happened_at, received_at)
    select ${scope.merchantId}, r.id, r.event_id, r.line_user_id, r.type, r.body::jsonb, r.happened_at, ${scope.now}::timestamptz
    from unnest(${once.map(({ id }) => id)}::uuid[], ${once.map(({ eventId }) => eventId)}::text[],
      ${once.map(({ lineUserId }) => lineUserId)}::text[], ${once.map(({ type }) => type)}::text[],
      ${once.map(({ body }) => body)}::text[], ${once.map(({ happenedAt }) => happenedAt)}::timestamptz[])
      as r (id, event_id, line_user_id, type, body, happened_at)
    order by r.event_id
    on conflict (merchant_id, event_id) do nothing returning id`.execute(scope.db)
  return rows.map(({ id }) => id)
}

/** The oldest that wait, locked until the transaction ends; what another worker has is left out. */
export async function claimEvents(scope: MerchantScope, limit: number): Promise<EventRow[]> {
  const { rows } = await sql<EventRow>`
    select id, line_user_id, type, event, happened_at, received_at, attempts from line_events
    where merchant_id = ${scope.merchantId} and processed_at is null
    order by happened_at, id limit ${limit} for update skip locked`.execute(scope.db)
  return rows
}

export async function deleteEvents(scope: MerchantScope, ids: readonly string[]): Promise<void> {
  await sql`delete from line_events
    where merchant_id = ${scope.merchantId} and id = any(${[...ids]}::uuid[])`.execute(scope.db)
}

export async function markProcessed(scope: MerchantScope, ids: readonly string[]): Promise<void> {
  await sql`update line_events set processed_at = ${scope.now}
    where merchant_id = ${scope.merchantId} and id = any(${[...ids]}::uuid[])`.execute(scope.db)
}

/** What waits is kept without effect; what is being processed just now ends first. */
export async function passOverWaiting(scope: MerchantScope): Promise<void> {
  await sql`update line_events set processed_at = ${scope.now}
    where merchant_id = ${scope.merchantId} and processed_at is null`.execute(scope.db)
}

/** `givenUp`: it is kept, and not tried again. */
export async function markFailedTry(
  scope: MerchantScope,
  id: string,
  { error, givenUp }: { error: string; givenUp: boolean },
): Promise<void> {
  await sql`update line_events set attempts = attempts + 1, error = ${error}, processed_at = ${givenUp ? scope.now : null}
    where merchant_id = ${scope.merchantId} and id = ${id} and processed_at is null`.execute(scope.db)
}

export async function deleteOldEvents(scope: MerchantScope, before: Date, limit: number): Promise<number> {
  const { rows } = await sql`
    delete from line_events where merchant_id = ${scope.merchantId} and id in (
      select id from line_events where merchant_id = ${scope.merchantId} and received_at < ${before} and processed_at is not null
      limit ${limit}) returning 1`.execute(scope.db)
  return rows.length
}

import { sql } from 'kysely'
import type { MerchantScope } from '../../../kernel/merchant-scope.ts'

export interface StoredWebhook {
  key: string
  topic: string
  subject: string
  payload: unknown
  triggeredAt: Date
  attempts: number
}

export interface NewWebhook {
  key: string
  topic: string
  subject: string
  /** JSON that PostgreSQL accepts. */
  body: string
  triggeredAt: Date
}

/** Returns the keys of the new ones. */
export async function insertWebhooks(scope: MerchantScope, webhooks: readonly NewWebhook[]): Promise<Set<string>> {
  const once = [...new Map(webhooks.map((webhook) => [webhook.key, webhook])).values()]
  const { rows } = await sql<{ key: string }>`
    insert into store_webhooks (merchant_id, event_id, topic, subject, payload, triggered_at, received_at, next_attempt_at)
    select ${scope.merchantId}, r.key, r.topic, r.subject, r.body::jsonb, r.triggered_at, ${scope.now}::timestamptz, ${scope.now}::timestamptz
    from unnest(${once.map(({ key }) => key)}::text[], ${once.map(({ topic }) => topic)}::text[],
      ${once.map(({ subject }) => subject)}::text[], ${once.map(({ body }) => body)}::text[],
      ${once.map(({ triggeredAt }) => triggeredAt)}::timestamptz[]) as r (key, topic, subject, body, triggered_at)
    order by r.key
    on conflict (merchant_id, event_id) do nothing returning event_id as key
  `.execute(scope.db)
  return new Set(rows.map(({ key }) => key))
}

/**
 * Webhooks to process now: due, and the oldest waiting of their subject. The oldest first. One scan over the waiting ones: an outage leaves
 * thousands, about which the planner has no statistics yet.
 */
export async function listDue(scope: MerchantScope, limit: number): Promise<{ key: string; topic: string }[]> {
  const { rows } = await sql<{ key: string; topic: string }>`
    select w.event_id as key, w.topic from (
      select event_id, topic, triggered_at, next_attempt_at,
        row_number() over (partition by subject order by triggered_at, received_at, event_id) as place
      from store_webhooks where merchant_id = ${scope.merchantId} and processed_at is null and parked_at is null
    ) w
    where w.place = 1 and w.next_attempt_at <= ${scope.now} order by w.triggered_at limit ${limit}
  `.execute(scope.db)
  return rows
}

/** Locks it until the transaction ends; null if another worker has it or it is done. */
export async function claimWebhook(scope: MerchantScope, key: string): Promise<StoredWebhook | null> {
  const { rows } = await sql<StoredWebhook>`
    select event_id as key, topic, subject, payload, triggered_at as "triggeredAt", attempts from store_webhooks
    where merchant_id = ${scope.merchantId} and event_id = ${key} and processed_at is null and parked_at is null
    for update skip locked
  `.execute(scope.db)
  return rows[0] ?? null
}

/** The same for many; those that another worker has or that are done are missing. */
export async function claimWebhooks(scope: MerchantScope, keys: readonly string[]): Promise<StoredWebhook[]> {
  const { rows } = await sql<StoredWebhook>`
    select event_id as key, topic, subject, payload, triggered_at as "triggeredAt", attempts from store_webhooks
    where merchant_id = ${scope.merchantId} and event_id = any(${[...keys]}::text[]) and processed_at is null and parked_at is null
    order by event_id for update skip locked
  `.execute(scope.db)
  return rows
}

/** Whether a later webhook of one of these topics about the same subject was processed already. */
export async function isOvertaken(
  scope: MerchantScope,
  webhook: { subject: string; triggeredAt: Date },
  topics: readonly string[],
): Promise<boolean> {
  const { rows } = await sql`
    select from store_webhooks
    where merchant_id = ${scope.merchantId} and subject = ${webhook.subject} and triggered_at > ${webhook.triggeredAt}
      and topic = any(${topics}::text[]) and processed_at is not null limit 1
  `.execute(scope.db)
  return rows.length > 0
}

export async function markProcessed(scope: MerchantScope, keys: readonly string[]): Promise<void> {
  await sql`
    update store_webhooks set processed_at = ${scope.now}, error = null
    where merchant_id = ${scope.merchantId} and event_id = any(${[...keys]}::text[])
  `.execute(scope.db)
}

export async function markFailedTry(
  scope: MerchantScope,
  key: string,
  failure: { error: string; attempts: number; nextAttemptAt: Date; deadLettered: boolean },
): Promise<void> {
  await sql`
    update store_webhooks set attempts = ${failure.attempts}, error = ${failure.error}, next_attempt_at = ${failure.nextAttemptAt},
      parked_at = ${failure.deadLettered ? scope.now : null}
    where merchant_id = ${scope.merchantId} and event_id = ${key} and processed_at is null
  `.execute(scope.db)
}

export async function countWaiting(scope: MerchantScope): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from store_webhooks
    where merchant_id = ${scope.merchantId} and processed_at is null and parked_at is null
  `.execute(scope.db)
  return rows[0]?.count ?? 0
}

/** When the oldest waiting webhook was sent; null if none waits. */
export async function findOldestWaiting(scope: MerchantScope): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select min(triggered_at) as at from store_webhooks
    where merchant_id = ${scope.merchantId} and processed_at is null and parked_at is null
  `.execute(scope.db)
  return rows[0]?.at ?? null
}

/** Deletes webhooks processed long ago; returns how many. */
export async function deleteOld(scope: MerchantScope, before: Date, limit: number): Promise<number> {
  const { rows } = await sql`
    delete from store_webhooks where merchant_id = ${scope.merchantId} and event_id in (
      select event_id from store_webhooks
      where merchant_id = ${scope.merchantId} and received_at < ${before} and (processed_at is not null or parked_at is not null)
      limit ${limit}
    ) returning event_id
  `.execute(scope.db)
  return rows.length
}

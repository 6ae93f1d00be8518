import type { LineRelayCall } from '@okaeri/contract/line-relays/relay'
import { type RawBuilder, sql } from 'kysely'
import { newId, newIds } from '../../kernel/ids.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'

export interface RelayRow {
  id: string
  url: string
  created_at: Date
  waiting: number
  failed: number
}

export async function selectRelays(scope: MerchantScope): Promise<RelayRow[]> {
  const { rows } = await sql<RelayRow>`
    select r.id, r.url, r.created_at, count(k.id) filter (where k.state = 'waiting') as waiting,
      count(k.id) filter (where k.state = 'failed') as failed
    from line_relays r left join line_relay_calls k on k.merchant_id = ${scope.merchantId} and k.relay_id = r.id
    where r.merchant_id = ${scope.merchantId} group by r.id, r.url, r.created_at order by r.created_at, r.id
  `.execute(scope.db)
  return rows
}

/** Two members who add at once wait for each other, so that the number holds. */
export async function lockRelays(scope: MerchantScope): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`line relays ${scope.merchantId}`}, 0))`.execute(scope.db)
}

export async function insertRelay(scope: MerchantScope, url: string): Promise<void> {
  await sql`insert into line_relays (merchant_id, id, url, created_at)
    values (${scope.merchantId}, ${newId()}, ${url}, ${scope.now}) on conflict (merchant_id, url) do nothing`.execute(
    scope.db,
  )
}

/** With what was passed on there. Returns whether it was there. */
export async function deleteRelay(scope: MerchantScope, id: string): Promise<boolean> {
  await sql`delete from line_relay_calls where merchant_id = ${scope.merchantId} and relay_id = ${id}`.execute(scope.db)
  const { rows } =
    await sql`delete from line_relays where merchant_id = ${scope.merchantId} and id = ${id} returning 1`.execute(
      scope.db,
    )
  return rows.length > 0
}

export async function listRelayIds(scope: MerchantScope): Promise<string[]> {
  const { rows } = await sql<{
    id: string
  }>`select id from line_relays where merchant_id = ${scope.merchantId}`.execute(scope.db)
  return rows.map(({ id }) => id)
}

export interface CameWebhook {
  body: Buffer
  signature: string
}

/** Each of what came, for each relay. */
export async function insertCalls(
  scope: MerchantScope,
  relayIds: readonly string[],
  came: readonly CameWebhook[],
): Promise<void> {
  const calls = came.flatMap((webhook) => relayIds.map((relayId) => ({ relayId, ...webhook })))
  await sql`
    insert into line_relay_calls (merchant_id, id, relay_id, body, signature, received_at, next_try_at)
    select ${scope.merchantId}, r.id, r.relay_id, r.body, r.signature, ${scope.now}::timestamptz, ${scope.now}::timestamptz
    from unnest(${newIds(calls.length)}::uuid[], ${calls.map(({ relayId }) => relayId)}::uuid[],
      ${calls.map(({ body }) => body)}::bytea[], ${calls.map(({ signature }) => signature)}::text[])
      as r (id, relay_id, body, signature)
  `.execute(scope.db)
}

export interface DueCall {
  id: string
  url: string
  body: Buffer
  signature: string
  /** Counting the one that begins now. */
  tries: number
}

/** Takes those that are due for the address; the same are due again at `until`, unless their outcome was recorded before. */
export async function claimCalls(
  scope: MerchantScope,
  { relayId, limit, until }: { relayId: string; limit: number; until: Date },
): Promise<DueCall[]> {
  const { rows } = await sql<DueCall>`
    with due as (
      select id from line_relay_calls
      where merchant_id = ${scope.merchantId} and relay_id = ${relayId} and state = 'waiting' and next_try_at <= ${scope.now}
      order by next_try_at limit ${limit} for update skip locked
    )
    update line_relay_calls k set tries = k.tries + 1, next_try_at = ${until}
    from due, line_relays r
    where k.merchant_id = ${scope.merchantId} and k.id = due.id and r.merchant_id = ${scope.merchantId} and r.id = k.relay_id
    returning k.id, r.url, k.body, k.signature, k.tries
  `.execute(scope.db)
  return rows
}

export async function reportCall(
  scope: MerchantScope,
  id: string,
  outcome: { state: LineRelayCall['state']; answer: string; nextTryAt: Date | null },
): Promise<void> {
  await sql`
    update line_relay_calls set state = ${outcome.state}, answer = ${outcome.answer}, next_try_at = ${outcome.nextTryAt}
    where merchant_id = ${scope.merchantId} and id = ${id} and state = 'waiting'
  `.execute(scope.db)
}

/** Returns whether there is such a call. One that waits is only made sooner. */
export async function makeDue(scope: MerchantScope, id: string): Promise<boolean> {
  const { rows } = await sql`
    update line_relay_calls set state = 'waiting', tries = 0, next_try_at = ${scope.now}
    where merchant_id = ${scope.merchantId} and id = ${id} returning 1
  `.execute(scope.db)
  return rows.length > 0
}

export interface CallRow {
  id: string
  url: string
  state: LineRelayCall['state']
  received_at: Date
  tries: number
  answer: string | null
  next_try_at: Date | null
}

export async function selectCalls(
  scope: MerchantScope,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ rows: CallRow[]; total: number }> {
  const rows = await select(scope, sql`true order by k.received_at desc, k.id desc limit ${limit} offset ${offset}`)
  const { rows: counted } = await sql<{ total: number }>`
    select count(*) as total from line_relay_calls where merchant_id = ${scope.merchantId}`.execute(scope.db)
  return { rows, total: counted[0]?.total ?? 0 }
}

export const findCall = async (scope: MerchantScope, id: string): Promise<CallRow | null> =>
  (await select(scope, sql`k.id = ${id}`))[0] ?? null

async function select(scope: MerchantScope, which: RawBuilder<unknown>): Promise<CallRow[]> {
  const { rows } = await sql<CallRow>`
    select k.id, r.url, k.state, k.received_at, k.tries, k.answer, k.next_try_at
    from line_relay_calls k join line_relays r on r.merchant_id = ${scope.merchantId} and r.id = k.relay_id
    where k.merchant_id = ${scope.merchantId} and ${which}
  `.execute(scope.db)
  return rows
}

export async function deleteOldCalls(scope: MerchantScope, before: Date, limit: number): Promise<number> {
  const { rows } = await sql`
    delete from line_relay_calls where merchant_id = ${scope.merchantId} and id in (
      select id from line_relay_calls where merchant_id = ${scope.merchantId} and received_at < ${before} and state <> 'waiting'
      limit ${limit}) returning 1`.execute(scope.db)
  return rows.length
}

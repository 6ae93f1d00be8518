import { type RawBuilder, sql } from 'kysely'
import type { MerchantScope, TransactionScope } from '../../../kernel/merchant-scope.ts'
import { markPendingSkipped } from '../queries.ts'
import { isNotHeld, maySend } from '../transmit-log/witness-queries.ts'
import type { ResultRow } from '../rows.ts'

/**
 * Null when nothing may be sent: sending is on hold, or this database is not what it was when this process looked last (`seen`), or has
 * not come as far as the journal.
 */
export async function insertLease(
  scope: MerchantScope,
  lease: { workerId: string; messageId: string; journal: { id: string; position: number }; seen: string },
): Promise<{ id: number; position: number } | null> {
  const { merchantId } = scope
  // Two statements: one that writes to both needs, on Citus, nodes on which nothing of the merchant is.
  return scope.transaction(async ({ db }) => {
    const { rows: journals } = await sql<{ position: number }>`
      update departure_journals set position = position + 1
      where merchant_id = ${merchantId} and id = ${lease.journal.id} and position >= ${lease.journal.position}
        and ${maySend(lease.seen)}
      returning position`.execute(db)
    if (!journals[0]) return null
    const { rows } = await sql<{ id: number }>`
      insert into delivery_leases (merchant_id, worker_id, message_id, journal_id)
      values (${merchantId}, ${lease.workerId}, ${lease.messageId}, ${lease.journal.id})
      returning id`.execute(db)
    return rows[0] ? { id: rows[0].id, position: journals[0].position } : null
  })
}

/** Cancelled while a worker had it: its execution ended early. When it comes back it is not tried again. */
const isCancelled = (row: string): RawBuilder<boolean> => {
  const column = (name: string) => sql.ref(`${row}.${name}`)
  return sql`(${column('reason')} is not null and ${column('reason')} = 'cancelled')`
}

/** A lease as its worker knows it. */
export interface HeldLease {
  leaseId: number
  messageId: string
  /** As the time slice found it; switched since, nothing more leaves. */
  merchantInTestMode: boolean
  /** As the time slice found it: raised since, nothing more leaves. */
  codeDoubts: number
}

/** `may_send`: what was cleared may leave: the message is not held or stopped, test mode was not switched, sending is not on hold. */
export interface LeaseAnswer {
  /** The lease was not taken away. */
  is_ours: boolean
  may_send: boolean
}

const messageMaySend = ({ merchantId }: MerchantScope, lease: HeldLease): RawBuilder<boolean> => sql`exists (
  select 1 from messages m join merchants t on t.id = m.merchant_id
  where m.merchant_id = ${merchantId} and m.id = ${lease.messageId} and m.state = 'released'
    and m.code_doubts = ${lease.codeDoubts} and t.test_mode = ${lease.merchantInTestMode}) and ${isNotHeld}`

/**
 * One commit for many messages: deliveries up to `watermark` (in the order of their ids, in which a lease claims them) may leave from now
 * on, and the worker gave a sign of life. `position`: how far the journal's row is now.
 */
export async function extendLease(
  scope: MerchantScope,
  lease: HeldLease & {
    journalId: string
    /** Null: only a sign of life. */
    watermark: string | null
  },
): Promise<LeaseAnswer & { position: number }> {
  const { merchantId } = scope
  const { rows } = await sql<LeaseAnswer & { position: number | null }>`
    with lease as (
      update delivery_leases set cleared_to = greatest(cleared_to, ${lease.watermark}::uuid), beat = beat + 1
      where merchant_id = ${merchantId} and id = ${lease.leaseId} and journal_id = ${lease.journalId}
      returning id
    ), journal as (
      update departure_journals set position = position + 1
      where merchant_id = ${merchantId} and id = ${lease.journalId} and exists (select 1 from lease)
      returning position
    )
    select exists (select 1 from lease) as is_ours, ${messageMaySend(scope, lease)} as may_send, (select position from journal) as position`.execute(
    scope.db,
  )
  const { is_ours = false, may_send = false, position = null } = rows[0] ?? {}
  return { is_ours: is_ours && position !== null, may_send, position: position ?? 0 }
}

const writeResults = (
  { merchantId }: MerchantScope,
  results: readonly ResultRow[],
  under: RawBuilder<boolean>,
): RawBuilder<unknown> => {
  const ids = results.map((r) => r.id)
  const hasBatches = results.some(({ batchId }) => batchId !== null)
  return sql`
    -- Who was forgotten while a worker held the mail has no address any more, and gets no words of theirs back.
    update deliveries d set detail = case when d.address is not null then r.detail end,
      -- What was cancelled and may have arrived is not skipped: that is unknown.
      status = case when r.status = 'pending' and ${isCancelled('d')}
        then case when d.first_tried_at is not null and (r.counts_attempt or d.attempts > 1) then 'uncertain' else 'skipped' end else r.status end,
      -- A try that is not counted did not arrive; one before it may have.
      first_tried_at = case when r.counts_attempt or d.attempts > 1 then d.first_tried_at end,
      reason = case when r.status = 'pending' and ${isCancelled('d')} then 'cancelled' else r.reason end,
      next_attempt_at = case when ${isCancelled('d')} then null else r.next_attempt_at end,
      sent_at = coalesce(r.sent_at, d.sent_at), lease_id = null,
      filled_subject = case when d.address is not null then coalesce(r.filled_subject, d.filled_subject) end,
      attempts = d.attempts - case when r.counts_attempt then 0 else 1 end${hasBatches ? sql`, batch_id = r.batch_id` : sql``}
    from unnest(${ids}::uuid[], ${results.map((r) => r.status)}::text[], ${results.map((r) => r.reason)}::text[],
      ${results.map((r) => r.detail)}::text[], ${results.map((r) => r.nextAttemptAt)}::timestamptz[],
      ${results.map((r) => r.sentAt)}::timestamptz[], ${results.map((r) => r.countsAttempt)}::boolean[],
      ${results.map((r) => r.filledSubject)}::text[]${hasBatches ? sql`, ${results.map((r) => r.batchId)}::uuid[]` : sql``})
      as r (id, status, reason, detail, next_attempt_at, sent_at, counts_attempt, filled_subject${hasBatches ? sql`, batch_id` : sql``})
    -- By id twice: of a table that has just filled the planner knows nothing, and would read the whole merchant to join. What holds for
    -- nearly all of them is put so that it does not take it for rare, or it would compare each row with each result.
    where d.merchant_id = ${merchantId} and d.id = any(${ids}::uuid[]) and d.id = r.id and coalesce(${under}, false)`
}

/**
 * Stores how deliveries ended, many in one statement, and only under the lease (the fence): when the lease is gone nothing is written. A
 * result counts only for a row still `sending` under this very lease, so storing it again changes nothing.
 */
export async function storeResults(
  scope: MerchantScope,
  lease: HeldLease,
  results: readonly ResultRow[],
): Promise<LeaseAnswer> {
  const { merchantId } = scope
  const { leaseId } = lease
  const { rows } = await sql<LeaseAnswer>`
    with lease as (
      select id from delivery_leases where merchant_id = ${merchantId} and id = ${leaseId} for key share
    ), written as (${writeResults(scope, results, sql<boolean>`d.lease_id = ${leaseId} and d.status = 'sending'`)}
        and exists (select 1 from lease)
    )
    select exists (select 1 from lease) as is_ours, ${messageMaySend(scope, lease)} as may_send`.execute(scope.db)
  return rows[0] ?? { is_ours: false, may_send: false }
}

/** Waits until a broken connection has committed what it still commits under the lease, so that later statements see it. Returns whether the lease still exists. */
export async function lockLease(scope: MerchantScope, leaseId: number): Promise<boolean> {
  const { rows } = await sql`
    select from delivery_leases where merchant_id = ${scope.merchantId} and id = ${leaseId} for update`.execute(
    scope.db,
  )
  return rows.length > 0
}

export async function deleteLease(scope: MerchantScope, leaseId: number): Promise<void> {
  await sql`delete from delivery_leases where merchant_id = ${scope.merchantId} and id = ${leaseId}`.execute(scope.db)
}

/** A lease as another process sees it. */
export interface SeenLease {
  id: number
  message_id: string
  journal_id: string | null
  /** Deliveries up to this one may have left. */
  watermark: string | null
  /** Moves with each sign of life. */
  beat: number
}

export async function listLeases(scope: MerchantScope): Promise<SeenLease[]> {
  const { rows } = await sql<SeenLease>`
    select id, message_id, journal_id, cleared_to as watermark, beat from delivery_leases where merchant_id = ${scope.merchantId} order by id`.execute(
    scope.db,
  )
  return rows
}

/** Locks the lease, so that two processes do not take it over, if it is still as it was seen; null when its worker moved or it is gone. */
export async function claimLease(scope: TransactionScope, { id, beat }: SeenLease): Promise<SeenLease | null> {
  const { rows } = await sql<SeenLease>`
    select id, message_id, journal_id, cleared_to as watermark, beat from delivery_leases
    where merchant_id = ${scope.merchantId} and id = ${id} and beat = ${beat} for update skip locked`.execute(scope.db)
  return rows[0] ?? null
}

/** Deliveries of a lease that may have left and have no result: what was cleared and is still `sending`. */
export async function listBehindWatermark(
  scope: MerchantScope,
  lease: Pick<SeenLease, 'id' | 'message_id' | 'watermark'>,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from deliveries
    where merchant_id = ${scope.merchantId} and message_id = ${lease.message_id} and lease_id = ${lease.id} and status = 'sending'
      and id <= ${lease.watermark}`.execute(scope.db)
  return rows.map(({ id }) => id)
}

/**
 * Gives back the rows of a lease. Those whose body may have left become `uncertain`, unless trying again is safe (`isSafe`); the others go back to
 * `pending`, unless the message was stopped. Uncertain rows keep the number of the lease, because its worker may be alive and know more
 * ({@link storeLateAnswers}); cancelled rows do not. Returns how many are `pending` again, without tests.
 */
export async function returnLeasedRows(
  scope: MerchantScope,
  lease: { id: number; message_id: string },
  { mayHaveLeft, isSafe }: { mayHaveLeft: readonly string[]; isSafe: boolean },
): Promise<number> {
  const left = sql<boolean>`id = any(${[...mayHaveLeft]}::uuid[])`
  const isUncertain = isSafe ? sql<boolean>`(${left} and ${isCancelled('deliveries')})` : left
  const { rows } = await sql<{ waits: boolean }>`
    update deliveries set lease_id = case when ${isUncertain} and not ${isCancelled('deliveries')} then lease_id else null end,
      status = case when ${isUncertain} then 'uncertain' when ${isCancelled('deliveries')} then 'skipped' else 'pending' end,
      reason = case when ${isUncertain} and ${isCancelled('deliveries')} then null else reason end,
      attempts = case when ${left} then attempts else attempts - 1 end,
      first_tried_at = case when ${left} or attempts > 1 then first_tried_at end,
      detail = case when ${isUncertain} then 'the worker stopped before the answer was stored' end
    where merchant_id = ${scope.merchantId} and message_id = ${lease.message_id} and lease_id = ${lease.id}
      and status = 'sending'
    returning status = 'pending' and kind <> 'test' and not test_mode as waits`.execute(scope.db)
  await skipOfStopped(scope, lease.message_id)
  return rows.filter(({ waits }) => waits).length
}

/** Rows that came back to a message that was stopped meanwhile are skipped, or they would wait for ever. The lock waits for a stop under way. */
async function skipOfStopped(scope: MerchantScope, messageId: string): Promise<void> {
  const message = await scope.db
    .selectFrom('messages')
    .select('state')
    .where('merchant_id', '=', scope.merchantId)
    .where('id', '=', messageId)
    .forShare()
    .executeTakeFirst()
  if (message?.state === 'done') await markPendingSkipped(scope, messageId, 'cancelled')
}

/** Whether rows of this lease are uncertain for others, of which its worker knows more. */
export async function hasUncertain(scope: MerchantScope, lease: HeldLease): Promise<boolean> {
  const { rows } = await sql<{ has: boolean }>`
    select exists (select 1 from deliveries where merchant_id = ${scope.merchantId} and message_id = ${lease.messageId}
      and lease_id = ${lease.leaseId} and status = 'uncertain') as has`.execute(scope.db)
  return rows[0]?.has ?? false
}

/**
 * What the worker of a lost lease knows of the rows that are uncertain since: how some ended (`results`), and that all others but `left` never
 * left, so they are `pending` again. Rows that a person has sent again since belong to another lease.
 */
export async function storeLateAnswers(
  scope: MerchantScope,
  lease: HeldLease,
  known: { results: readonly ResultRow[]; left: readonly string[] },
): Promise<number> {
  const { merchantId } = scope
  const theirs = sql<boolean>`d.merchant_id = ${merchantId} and d.message_id = ${lease.messageId} and d.lease_id = ${lease.leaseId}
    and d.status = 'uncertain'`
  const ids = known.results.map(({ id }) => id)
  const ended = await writeResults(
    scope,
    known.results,
    sql`d.lease_id = ${lease.leaseId} and d.status = 'uncertain'`,
  ).execute(scope.db)
  const returned = await sql`
    update deliveries d set status = 'pending', attempts = d.attempts - 1, detail = null, lease_id = null
    where ${theirs} and not (d.id = any(${[...known.left, ...ids]}::uuid[]))`.execute(scope.db)
  await skipOfStopped(scope, lease.messageId)
  return Number(ended.numAffectedRows ?? 0n) + Number(returned.numAffectedRows ?? 0n)
}

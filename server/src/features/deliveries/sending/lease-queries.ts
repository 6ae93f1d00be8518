import { type RawBuilder, sql } from 'kysely'
import type { MerchantScope, TransactionScope } from '../../../kernel/merchant-scope.ts'
import { primaryLanguageOf } from '../../customers/index.ts'
import type { PostponedOrSkipped, PacedRows } from '../channel.ts'
import type { ContactRule } from '../contact-rule.ts'
import { capSince, countsForCap, type FrequencyCap, markPendingSkipped } from '../queries.ts'
import { isNotHeld, maySend, sentToThem } from '../transmit-log/witness-queries.ts'
import type { ClaimedRow, ResultRow } from '../rows.ts'

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

/**
 * Claims up to `limit` due rows of a message under a lease: consent, suppression and address are looked at again at this moment; who
 * cannot be mailed now is recorded as skipped, the rest goes to `sending` and is answered in the order of ids. A customer deleted
 * meanwhile is skipped. Who was sent it in a time this database has forgotten becomes uncertain. Rows another worker is claiming are passed over. Returns also the greatest id looked at, null when there was
 * none. Tests go to the address given, if its owner agreed to tests. The lease is held against being taken away meanwhile (but not against
 * {@link extendLease}); when it is gone, nothing is claimed. What waits of a batch is claimed whole or not at all.
 */
export async function claimDueRows(
  scope: MerchantScope,
  claim: {
    messageId: string
    leaseId: number
    /** Only rows with a greater id: those before were looked at in this time slice. */
    after: string
    limit: number
    merchantInTestMode: boolean
    /** Tests go to the test addresses, and name whom they were for. */
    redirectsTests: boolean
    /** Real time, and since when a first try is too long ago to be tried again; null where trying again is never safe. */
    retryWindow: { now: Date; since: Date } | null
    /** The rows become a batch of this id, unless one is next that was fixed before; null: they go one by one. */
    batchId: string | null
    /** Those the message has besides its own. */
    languages: readonly string[]
    /** SQL over an address: whether tests may go there. */
    takesTests: (address: RawBuilder<string>) => RawBuilder<boolean>
  } & ContactRule,
): Promise<{ claimed: ClaimedRow[]; last: string | null }> {
  const { merchantId } = scope
  const candidates = claim.cap || claim.batchId ? await listCandidates(scope, claim) : null
  if (claim.cap && candidates) await lockRecipients(scope, candidates.rows)
  const ids = candidates?.rows.map(({ id }) => id)
  const hasVariants = claim.languages.length > 0
  const isWhole = candidates?.isBatch ? sql`(select count(*) from found) = ${candidates.rows.length}` : sql`true`
  const { rows } = await sql<ClaimedRow & { why: string | null }>`
    with lease as (
      select id from delivery_leases where merchant_id = ${merchantId} and id = ${claim.leaseId} for key share
    ), found as (
      select d.id, d.customer_id, d.execution_id, d.round, d.address, d.test_mode, d.attempts, d.kind, d.ignores_consent, d.variables,
        d.first_tried_at, d.batch_id, d.next_attempt_at is not null as waited, ${unrecorded(scope)} as left_as
      from deliveries d
      where d.merchant_id = ${merchantId} and d.message_id = ${claim.messageId} and d.status = 'pending'
        and ${candidates?.isBatch ? sql`true` : isDue(scope, claim)} and exists (select 1 from lease)
        ${ids ? sql`and d.id = any(${ids}::uuid[])` : sql``}
      order by d.id
      limit ${claim.limit}
      for update of d skip locked
    ), picked as (
      select * from found where ${isWhole}
    ), mailable as (
      select p.id, p.customer_id, p.execution_id, p.round, coalesce(case when p.kind = 'test' then p.address else ${claim.address} end, p.address) as address,
        (p.test_mode or ${claim.merchantInTestMode}) as test_mode,
        p.attempts, p.kind, c.first_name, c.last_name, coalesce(c.display_name, '') as display_name, c.email, c.phone, c.language,
        coalesce(c.tags, '{}') as tags, p.variables, p.waited, p.first_tried_at, ${claim.batchId ? batchOf(claim.batchId, claim.merchantInTestMode) : sql`null::uuid`} as batch_id,
        ${hasVariants ? sql`case when ${primaryLanguageOf} = any(${[...claim.languages]}::text[]) then ${primaryLanguageOf} end` : sql`null::text`} as variant,
        case
          when p.left_as is not null then 'left_before'
          when p.first_tried_at < ${claim.retryWindow?.since ?? null} then 'tried_long_ago'
          when p.first_tried_at is not null and ${wouldRetryDifferently(claim)} then 'tried_otherwise'
          when p.kind = 'test' then case when ${claim.redirectsTests} or ${claim.takesTests(sql`p.address`)}
            then null else 'address_unconfirmed' end
          when c.id is null then 'customer_gone'
          when p.ignores_consent then ${claim.reasonToAll}
          else ${claim.reason}
        end as why
      from picked p left join customers c on c.merchant_id = ${merchantId} and c.id = p.customer_id
    ), judged as (
      ${claim.cap ? withCapReason(scope, claim.cap) : sql`select * from mailable`}
    ), skipped as (
      -- Who may have got it already is not skipped: that is unknown.
      update deliveries d set status = case when d.first_tried_at is null then 'skipped' else 'uncertain' end,
        reason = case when d.first_tried_at is null then j.why end,
        address = case when j.why = 'customer_gone' then null else d.address end,
        variables = case when j.why = 'customer_gone' then null else d.variables end,
        filled_subject = case when j.why = 'customer_gone' then null else d.filled_subject end
      from judged j where d.merchant_id = ${merchantId} and d.id = j.id and j.why is not null and j.why not in ${ambiguousReasons}
    ), left_before as (
      update deliveries d set status = 'uncertain', reason = null, next_attempt_at = null,
        detail = case j.why when 'left_before' then 'sent before the database was restored to an older state'
          when 'tried_otherwise' then 'the first try cannot be repeated as it was: it went together with others, or not to testers'
          else 'the first try is too long ago to be repeated safely' end
      from judged j where d.merchant_id = ${merchantId} and d.id = j.id and j.why in ${ambiguousReasons}
    ), recorded as (
      delete from unrecorded_departures u using picked p
      where u.merchant_id = ${merchantId} and u.delivery_id = p.left_as
    ), taken as (
      update deliveries d set status = 'sending', lease_id = ${claim.leaseId}, attempts = d.attempts + 1, test_mode = j.test_mode,
        address = j.address${hasVariants ? sql`, language = j.variant` : sql``}${
          claim.retryWindow
            ? sql`, batch_id = j.batch_id,
        first_tried_at = coalesce(d.first_tried_at, ${claim.retryWindow.now}::timestamptz)`
            : sql``
        }
      from judged j where d.merchant_id = ${merchantId} and d.id = j.id and j.why is null
    )
    select * from judged order by id`.execute(scope.db)
  return { claimed: rows.filter((row) => row.why === null), last: rows.at(-1)?.id ?? null }
}

/** In the transaction that claimed them, so that no one has seen them claimed. */
export async function postponeRows(
  scope: TransactionScope,
  leaseId: number,
  { postponed, givenUp }: Pick<PacedRows, 'postponed' | 'givenUp'>,
): Promise<void> {
  const rows = [...postponed, ...givenUp.map((row) => ({ ...row, until: null }))]
  if (rows.length === 0) return
  await sql`
    update deliveries d set status = case when r.until is null then 'failed' else 'pending' end, lease_id = null, attempts = d.attempts - 1,
      reason = r.reason, detail = r.detail, next_attempt_at = r.until
    from unnest(${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ until }) => until)}::timestamptz[],
      ${rows.map(({ reason }) => reason)}::text[], ${rows.map(({ detail }) => detail)}::text[]) as r (id, until, reason, detail)
    where d.merchant_id = ${scope.merchantId} and d.id = r.id and d.lease_id = ${leaseId} and d.status = 'sending'`.execute(
    scope.db,
  )
}

/** In the transaction that claimed them: nothing of them has left, so they are in no batch any more. */
export async function postponeOrSkipRows(
  scope: TransactionScope,
  leaseId: number,
  rows: readonly PostponedOrSkipped[],
): Promise<void> {
  await sql`
    update deliveries d set status = case when r.until is null then 'skipped' else 'pending' end, lease_id = null, attempts = d.attempts - 1,
      reason = r.reason, next_attempt_at = r.until, first_tried_at = null, batch_id = null
    from unnest(${rows.map(({ id }) => id)}::uuid[], ${rows.map((row) => ('until' in row ? row.until : null))}::timestamptz[],
      ${rows.map((row) => ('reason' in row ? row.reason : null))}::text[]) as r (id, until, reason)
    where d.merchant_id = ${scope.merchantId} and d.id = r.id and d.lease_id = ${leaseId} and d.status = 'sending'`.execute(
    scope.db,
  )
}

/** It is unknown whether these got it. */
const ambiguousReasons = sql`('left_before', 'tried_long_ago', 'tried_otherwise')`

const isDue = ({ now }: MerchantScope, { after }: { after: string }): RawBuilder<boolean> =>
  sql`d.id > ${after} and (d.next_attempt_at is null or d.next_attempt_at <= ${now})`

/** Whether a picked row `p` that was tried before would now go alone, or to the test addresses. */
const wouldRetryDifferently = (claim: { batchId: string | null; merchantInTestMode: boolean }): RawBuilder<boolean> =>
  sql`(${claim.batchId === null}::boolean and p.batch_id is not null or ${claim.merchantInTestMode}::boolean and not p.test_mode)`

/** The batch of a picked row `p`. Tests name their person, and what was tried alone is tried alone again. */
const batchOf = (next: string, merchantInTestMode: boolean): RawBuilder<string | null> => sql`
  case when p.batch_id is not null then p.batch_id
    when p.first_tried_at is null and not p.test_mode and not ${merchantInTestMode}::boolean and p.kind <> 'test' then ${next}::uuid end`

/**
 * For a row `d`, under which id its mail left in a time the database has forgotten; null for nearly all. Whether anything was forgotten at
 * all is checked once: looking for each row cost a fourth of a claim.
 */
const unrecorded = ({ merchantId }: MerchantScope): RawBuilder<string | null> => sql`case
  when exists (select from unrecorded_departures u where u.merchant_id = ${merchantId}) then coalesce(
  (select u.delivery_id from unrecorded_departures u where u.merchant_id = ${merchantId} and u.delivery_id = d.id),
  (select u.delivery_id from unrecorded_departures u
    where u.merchant_id = ${merchantId} and ${sentToThem(merchantId)}
    order by u.execution_id nulls last limit 1)) end`

interface Candidate {
  id: string
  customer_id: string | null
}

/** The next rows that are due; where batches are fixed, those without one, or all that wait of one batch when it is next. Locks nothing. */
async function listCandidates(
  scope: MerchantScope,
  claim: { messageId: string; after: string; limit: number; batchId: string | null },
): Promise<{ rows: Candidate[]; isBatch: boolean }> {
  const list = async (which: RawBuilder<boolean>) => {
    const { rows } = await sql<Candidate & { batch_id: string | null }>`
      select d.id, d.customer_id, d.batch_id from deliveries d
      where d.merchant_id = ${scope.merchantId} and d.message_id = ${claim.messageId} and d.status = 'pending' and ${which}
      order by d.id limit ${claim.limit}`.execute(scope.db)
    return rows
  }
  const rows = await list(isDue(scope, claim))
  const next = rows[0]?.batch_id
  if (claim.batchId === null || rows.length === 0) return { rows, isBatch: false }
  if (next) return { rows: await list(sql`d.batch_id = ${next}`), isBatch: true }
  return { rows: rows.filter(({ batch_id }) => batch_id === null), isBatch: false }
}

/**
 * Locks the customers of the next rows until they are claimed. Otherwise two workers that mail the same person at once would not see each
 * other's mail. We hold nothing but the lease so far, so no holder of a customer waits for us.
 */
async function lockRecipients(scope: MerchantScope, rows: readonly Candidate[]): Promise<void> {
  await sql`select from customers where merchant_id = ${scope.merchantId}
    and id = any(${rows.flatMap(({ customer_id }) => customer_id ?? [])}::uuid[]) order by id for no key update`.execute(
    scope.db,
  )
}

/**
 * Over `mailable`: leaves out people who got as many messages as the cap allows. All to the person count, of all channels, campaigns and
 * scenarios, except of a scenario that always sends. What may have arrived has its place already: the question is only whether it did.
 */
const withCapReason = (scope: MerchantScope, cap: FrequencyCap): RawBuilder<unknown> => sql`
    select ${sql.join(judgedColumns.map((column) => sql.ref(`j.${column}`)))},
      case when j.why is null and not j.test_mode and j.customer_id is not null and j.first_tried_at is null and got.count
          + row_number() over (partition by j.customer_id, j.why is null, j.first_tried_at is null order by j.id) > ${cap.count}
        then 'frequency_cap' else j.why end as why
    from mailable j cross join lateral (
      select count(*) from deliveries d join messages m on m.merchant_id = ${scope.merchantId} and m.id = d.message_id
      where d.merchant_id = ${scope.merchantId} and d.customer_id = j.customer_id and ${countsForCap(capSince(scope.now, cap))}
    ) got`
const judgedColumns = [
  'id',
  'customer_id',
  'execution_id',
  'round',
  'address',
  'test_mode',
  'attempts',
  'kind',
  'first_name',
  'last_name',
  'display_name',
  'email',
  'phone',
  'language',
  'tags',
  'variables',
  'waited',
  'first_tried_at',
  'batch_id',
  'variant',
] as const

/** Test-mode rows of a message that went out or are about to: what the cap counts. */
export async function countTestModeSends(scope: MerchantScope, messageId: string): Promise<number> {
  // The message is locked, so that two workers cannot both have the last place under the cap.
  await sql`select from messages where merchant_id = ${scope.merchantId} and id = ${messageId} for update`.execute(
    scope.db,
  )
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from deliveries where merchant_id = ${scope.merchantId} and message_id = ${messageId}
      and test_mode and kind <> 'test' and status in ('sending', 'sent', 'uncertain')`.execute(scope.db)
  return rows[0]?.count ?? 0
}

/** It is no longer wanted since a worker took it: its execution ended early. When it comes back it is not tried again. */
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
      -- What is not wanted any more and may have arrived is not skipped: that is unknown.
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

/** Waits for what a connection that broke still commits under the lease: what comes after this sees it. Returns whether it is there still. */
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
 * What a worker held: bodies that may have left become uncertain, unless trying again is safe (`isSafe`); the rest goes back and is sent by another worker, unless it was stopped.
 * The uncertain rows keep the number of the lease, because their worker may be alive and know more ({@link storeLateAnswers}); rows that are no
 * longer wanted do not. Returns how many, but for tests, wait again.
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

/** A message stopped meanwhile is done: what came back to it stays, or it would wait for ever. The lock waits for a stop under way. */
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

/** Whether others took rows of this lease for uncertain, which its worker knows better. */
export async function hasUncertain(scope: MerchantScope, lease: HeldLease): Promise<boolean> {
  const { rows } = await sql<{ has: boolean }>`
    select exists (select 1 from deliveries where merchant_id = ${scope.merchantId} and message_id = ${lease.messageId}
      and lease_id = ${lease.leaseId} and status = 'uncertain') as has`.execute(scope.db)
  return rows[0]?.has ?? false
}

/**
 * What the worker of a lease that was taken away knows about the rows left uncertain: how some ended, and that all but `left` never left,
 * so they wait again. Rows that a person has sent again since belong to another lease.
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

/** Whether a row of a message is due now. */
export async function hasDue(scope: MerchantScope, messageId: string): Promise<boolean> {
  const { rows } = await sql`
    select from deliveries where merchant_id = ${scope.merchantId} and message_id = ${messageId} and status = 'pending'
      and (next_attempt_at is null or next_attempt_at <= ${scope.now}) limit 1`.execute(scope.db)
  return rows.length > 0
}

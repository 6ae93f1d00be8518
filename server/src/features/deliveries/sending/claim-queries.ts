import { type RawBuilder, sql } from 'kysely'
import type { MerchantScope, TransactionScope } from '../../../kernel/merchant-scope.ts'
import { primaryLanguageOf } from '../../customers/index.ts'
import type { PostponedOrSkipped, PacedRows } from '../channel.ts'
import type { ContactRule } from '../contact-rule.ts'
import { capSince, countsForCap, type FrequencyCap } from '../audience-queries.ts'
import { sentToThem } from '../transmit-log/witness-queries.ts'
import type { ClaimedRow } from '../rows.ts'

/**
 * Claims up to `limit` due rows of a message under a lease. Consent, suppression and address are checked again at this moment:
 * - who may be contacted goes to `sending`, and is returned in the order of ids;
 * - who may not, or was deleted since, is `skipped` with the reason;
 * - who got it in a time that a restored database has forgotten is `uncertain`.
 * Tests go to the address of the row, if its owner agreed to tests. Rows that another worker is claiming are passed over. The waiting rows of a
 * batch are claimed together or not at all. The lease cannot be taken away meanwhile; if it is gone, nothing is claimed. `last` is the greatest id
 * that was looked at, null if there was none.
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

/** In the transaction that claimed the rows, so that no other worker has seen them claimed. */
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

/** In the transaction that claimed the rows: nothing of them has left, so they no longer belong to a batch. */
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
 * other's mail. So far only the lease is locked here, so a transaction that has locked a customer does not wait for us.
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

/** Whether a row of a message is due now. */
export async function hasDue(scope: MerchantScope, messageId: string): Promise<boolean> {
  const { rows } = await sql`
    select from deliveries where merchant_id = ${scope.merchantId} and message_id = ${messageId} and status = 'pending'
      and (next_attempt_at is null or next_attempt_at <= ${scope.now}) limit 1`.execute(scope.db)
  return rows.length > 0
}

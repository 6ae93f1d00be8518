import type { DeliveryStatus, FailureClass, SkipReason } from '@okaeri/contract/deliveries/delivery'
import { type RawBuilder, sql } from 'kysely'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { isDuplicateAddress } from '../consent/index.ts'

export interface MessageRow {
  id: string
  campaign_id: string | null
  email_id: string | null
  subject: string
  preheader: string
  from_name: string
  from_email: string
  reply_to: string | null
  html: string
  text: string
  links: string[]
  tracking_enabled: boolean
  state: 'held' | 'released' | 'done'
  test_mode: boolean
  created_at: Date
}

export async function insertMessage(
  scope: MerchantScope,
  message: Omit<MessageRow, 'created_at'> & { tracking_parameters: unknown },
): Promise<void> {
  await scope.db
    .insertInto('messages')
    .values({
      ...message,
      tracking_parameters: JSON.stringify(message.tracking_parameters),
      merchant_id: scope.merchantId,
      created_at: scope.now,
    })
    .execute()
}

export async function findMessage(scope: MerchantScope, id: string): Promise<MessageRow | null> {
  const row = await scope.db
    .selectFrom('messages')
    .selectAll()
    .where('merchant_id', '=', scope.merchantId)
    .where('id', '=', id)
    .executeTakeFirst()
  return (row as MessageRow | undefined) ?? null
}

export async function markMessageState(scope: MerchantScope, id: string, state: MessageRow['state']): Promise<void> {
  await scope.db
    .updateTable('messages')
    .set({ state })
    .where('merchant_id', '=', scope.merchantId)
    .where('id', '=', id)
    .execute()
}

export async function listReleasedMessages(
  scope: MerchantScope,
): Promise<{ id: string; campaign_id: string | null }[]> {
  return scope.db
    .selectFrom('messages')
    .select(['id', 'campaign_id'])
    .where('merchant_id', '=', scope.merchantId)
    .where('state', '=', 'released')
    .orderBy('id')
    .execute()
}

/**
 * Writes the frozen audience: one row for each customer the condition chooses, in one statement. Those who cannot be mailed at this
 * moment are recorded as skipped with their reason, so that the balance names everyone; the others are looked at again when they
 * are claimed. `reason` is whyNotMailable over `c`.
 */
export async function insertAudience(
  scope: MerchantScope,
  audience: {
    campaignId: string
    messageId: string
    where: RawBuilder<boolean>
    reason: RawBuilder<string | null>
    testMode: boolean
    ignoresConsent: boolean
  },
): Promise<number> {
  const { merchantId, now } = scope
  const { rows } = await sql<{ count: number }>`
    with chosen as (
      select c.id, c.email, c.email_key, c.created_at, ${audience.reason} as why
      from customers c
      where c.merchant_id = ${merchantId} and (${audience.where})
    ), judged as (
      select c.id, c.email, case when ${isDuplicateAddress(sql`c.why`)} then 'duplicate_address' else c.why end as why
      from chosen c
    ), written as (
      insert into deliveries (merchant_id, id, kind, channel, campaign_id, customer_id, message_id, status, reason, address,
        test_mode, ignores_consent, created_at)
      select ${merchantId}, okaeri_uuidv7(${now}), 'campaign', 'email', ${audience.campaignId}, id, ${audience.messageId},
        case when why is null then 'pending' else 'skipped' end, why, email, ${audience.testMode}, ${audience.ignoresConsent}, ${now}
      from judged
      on conflict (merchant_id, campaign_id, customer_id) where campaign_id is not null do nothing
      returning 1
    )
    select count(*)::int as count from written`.execute(scope.db)
  return rows[0]?.count ?? 0
}

export async function insertTestDelivery(
  scope: MerchantScope,
  row: { id: string; messageId: string; customerId: string | null; address: string },
): Promise<void> {
  await scope.db
    .insertInto('deliveries')
    .values({
      merchant_id: scope.merchantId,
      id: row.id,
      kind: 'test',
      channel: 'email',
      customer_id: row.customerId,
      message_id: row.messageId,
      status: 'pending',
      address: row.address,
      test_mode: true,
      created_at: scope.now,
    })
    .execute()
}

interface BalanceRow {
  status: DeliveryStatus
  reason: string | null
  count: number
}
/** The rows of a campaign by status and reason: what the balance is computed from. */
export async function countByStatus(scope: MerchantScope, campaignId: string): Promise<BalanceRow[]> {
  const { rows } = await sql<BalanceRow>`
    select status, case when status in ('skipped', 'failed') then reason end as reason, count(*)::int as count
    from deliveries where merchant_id = ${scope.merchantId} and campaign_id = ${campaignId} group by 1, 2`.execute(
    scope.db,
  )
  return rows
}

/** Whether any row of a message still has to go out, or a lease is on it. */
export async function hasUnfinished(scope: MerchantScope, messageId: string): Promise<boolean> {
  const { rows } = await sql<{ unfinished: boolean }>`
    select exists (select from deliveries where merchant_id = ${scope.merchantId} and message_id = ${messageId} and status = 'pending')
      or exists (select from delivery_leases where merchant_id = ${scope.merchantId} and message_id = ${messageId})
      as unfinished`.execute(scope.db)
  return rows[0]?.unfinished ?? false
}

export async function markPendingSkipped(scope: MerchantScope, messageId: string, reason: SkipReason): Promise<number> {
  const result = await sql`update deliveries set status = 'skipped', reason = ${reason}
    where merchant_id = ${scope.merchantId} and message_id = ${messageId} and status = 'pending'`.execute(scope.db)
  return Number(result.numAffectedRows ?? 0)
}

/** Puts rows of a campaign back to pending, to be sent again: the failed ones, or (when a person asked) the uncertain ones. */
export async function requeue(scope: MerchantScope, campaignId: string, from: 'failed' | 'uncertain'): Promise<number> {
  const result = await sql`
    update deliveries set status = 'pending', reason = null, detail = null, attempts = 0, next_attempt_at = null
    where merchant_id = ${scope.merchantId} and campaign_id = ${campaignId} and status = ${from}`.execute(scope.db)
  return Number(result.numAffectedRows ?? 0)
}

export async function insertLease(
  scope: MerchantScope,
  lease: { workerId: string; messageId: string; seconds: number },
): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into delivery_leases (merchant_id, worker_id, message_id, expires_at)
    values (${scope.merchantId}, ${lease.workerId}, ${lease.messageId}, clock_timestamp() + make_interval(secs => ${lease.seconds}))
    returning id`.execute(scope.db)
  return (rows[0] as { id: number }).id
}

export interface ClaimedRow {
  id: string
  customer_id: string | null
  address: string
  test_mode: boolean
  attempts: number
  kind: 'campaign' | 'scenario' | 'test'
  first_name: string | null
  last_name: string | null
  display_name: string
  email: string | null
  phone: string | null
  language: string | null
  tags: string[]
}

/**
 * Claims up to `limit` due rows of a message under a lease: consent, suppression and address are looked at again at this moment; who
 * cannot be mailed now is recorded as skipped, the rest goes to `sending` and is answered. A customer deleted meanwhile is skipped.
 * Rows another worker is claiming are passed over. Answers also the greatest id looked at, null when there was none. Tests go to the address given, whoever's it is.
 * The lease is held against being taken away meanwhile (but not against the commits of {@link flushLease}); when it is gone, nothing is
 * claimed.
 */
export async function claimDueRows(
  scope: MerchantScope,
  claim: {
    messageId: string
    leaseId: number
    /** Only rows with a greater id: those before were looked at in this turn. */
    after: string
    limit: number
    merchantInTestMode: boolean
    reason: RawBuilder<string | null>
    reasonToAll: RawBuilder<string | null>
  },
): Promise<{ claimed: ClaimedRow[]; last: string | null }> {
  const { merchantId, now } = scope
  const { rows } = await sql<ClaimedRow & { why: string | null }>`
    with lease as (
      select id from delivery_leases where merchant_id = ${merchantId} and id = ${claim.leaseId} for key share
    ), picked as (
      select d.id, d.customer_id, d.address, d.test_mode, d.attempts, d.kind, d.ignores_consent
      from deliveries d
      where d.merchant_id = ${merchantId} and d.message_id = ${claim.messageId} and d.status = 'pending' and d.id > ${claim.after}
        and (d.next_attempt_at is null or d.next_attempt_at <= ${now}) and exists (select from lease)
      order by d.id
      limit ${claim.limit}
      for update of d skip locked
    ), judged as (
      select p.id, p.customer_id, coalesce(case when p.kind = 'test' then p.address else c.email end, p.address) as address,
        (p.test_mode or ${claim.merchantInTestMode}) as test_mode,
        p.attempts, p.kind, c.first_name, c.last_name, coalesce(c.display_name, '') as display_name, c.email, c.phone, c.language,
        coalesce(c.tags, '{}') as tags,
        case
          when p.kind = 'test' then null
          when c.id is null then 'customer_gone'
          when p.ignores_consent then ${claim.reasonToAll}
          else ${claim.reason}
        end as why
      from picked p left join customers c on c.merchant_id = ${merchantId} and c.id = p.customer_id
    ), skipped as (
      update deliveries d set status = 'skipped', reason = j.why
      from judged j where d.merchant_id = ${merchantId} and d.id = j.id and j.why is not null
    ), taken as (
      update deliveries d set status = 'sending', lease_id = ${claim.leaseId}, attempts = d.attempts + 1, test_mode = j.test_mode,
        address = j.address
      from judged j where d.merchant_id = ${merchantId} and d.id = j.id and j.why is null
    )
    select * from judged`.execute(scope.db)
  const claimed = rows.filter((row) => row.why === null)
  const last = rows.reduce<string | null>(
    (greatest, { id }) => (greatest === null || id > greatest ? id : greatest),
    null,
  )
  return { claimed, last }
}

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

export interface ResultRow {
  id: string
  status: 'sent' | 'failed' | 'uncertain' | 'pending' | 'skipped'
  reason: FailureClass | SkipReason | null
  detail: string | null
  /** For `pending`: not before this. */
  nextAttemptAt: Date | null
  /** A quota answer burns no attempt. */
  countsAttempt: boolean
  sentAt: Date | null
}

/**
 * One commit for many messages: the results that came, and the list of deliveries whose bodies are about to be handed over. Both only
 * under the lease (the fence): when it was taken away, nothing is written. A result counts only for a row still `sending` under
 * this very lease. `wanted` answers whether the rest may still leave: the message is not held or stopped, test mode was not switched.
 */
export async function flushLease(
  scope: MerchantScope,
  flush: {
    leaseId: number
    messageId: string
    /** As the turn found it; switched since, nothing more leaves. */
    merchantInTestMode: boolean
    seconds: number
    results: readonly ResultRow[]
    handedOver: readonly string[]
  },
): Promise<{ held: boolean; wanted: boolean }> {
  const { merchantId } = scope
  const { leaseId, results } = flush
  const { rows } = await sql<{ held: boolean; wanted: boolean }>`
    with lease as (
      update delivery_leases set handed_over = ${flush.handedOver}::uuid[],
        expires_at = clock_timestamp() + make_interval(secs => ${flush.seconds})
      where merchant_id = ${merchantId} and id = ${leaseId}
      returning id
    ), written as (
      update deliveries d set status = r.status, reason = r.reason, detail = r.detail, next_attempt_at = r.next_attempt_at,
        sent_at = coalesce(r.sent_at, d.sent_at), lease_id = null,
        attempts = d.attempts - case when r.counts_attempt then 0 else 1 end
      from unnest(${results.map((r) => r.id)}::uuid[], ${results.map((r) => r.status)}::text[], ${results.map((r) => r.reason)}::text[],
        ${results.map((r) => r.detail)}::text[], ${results.map((r) => r.nextAttemptAt)}::timestamptz[],
        ${results.map((r) => r.sentAt)}::timestamptz[], ${results.map((r) => r.countsAttempt)}::boolean[])
        as r (id, status, reason, detail, next_attempt_at, sent_at, counts_attempt)
      -- By id twice: of a table that has just filled the planner knows nothing, and would read the whole merchant to join.
      where d.merchant_id = ${merchantId} and d.id = any(${results.map((r) => r.id)}::uuid[]) and d.id = r.id
        and d.lease_id = ${leaseId} and d.status = 'sending'
        and exists (select from lease)
    )
    select exists (select from lease) as held, exists (
        select from messages m join merchants t on t.id = m.merchant_id
        where m.merchant_id = ${merchantId} and m.id = ${flush.messageId} and m.state = 'released'
          and t.test_mode = ${flush.merchantInTestMode}
      ) as wanted`.execute(scope.db)
  return rows[0] ?? { held: false, wanted: false }
}

export async function deleteLease(scope: MerchantScope, leaseId: number): Promise<void> {
  await sql`delete from delivery_leases where merchant_id = ${scope.merchantId} and id = ${leaseId}`.execute(scope.db)
}

/**
 * Leases whose worker gave no sign of life in time; locked, so that two processes do not recover the same. A database that has just
 * come up gives living workers the time to come back first: their answers are known, only not yet stored.
 */
export async function claimExpiredLeases(
  scope: MerchantScope,
  graceSeconds: number,
): Promise<{ id: number; handed_over: string[]; message_id: string }[]> {
  const { rows } = await sql<{ id: number; handed_over: string[]; message_id: string }>`
    select id, handed_over, message_id from delivery_leases
    where merchant_id = ${scope.merchantId} and expires_at < clock_timestamp()
      and pg_postmaster_start_time() < clock_timestamp() - make_interval(secs => ${graceSeconds})
    for update skip locked`.execute(scope.db)
  return rows
}

/** Where a customer was written to; the rows themselves stay, for the counts. */
export async function clearAddresses(scope: MerchantScope, customerId: string): Promise<void> {
  await scope.db
    .updateTable('deliveries')
    .set({ address: null })
    .where('merchant_id', '=', scope.merchantId)
    .where('customer_id', '=', customerId)
    .where('status', 'in', ['sent', 'failed', 'skipped', 'uncertain'])
    .execute()
}

/** Tells the planner what has just been written: without it, it takes a hundred thousand new rows for none. */
export async function analyzeDeliveries(scope: MerchantScope): Promise<void> {
  await sql`analyze deliveries`.execute(scope.db)
}

/** What a worker held: bodies that may have left are uncertain, the rest goes back and is sent by another, unless it was stopped. */
export async function returnLeasedRows(
  scope: MerchantScope,
  lease: { id: number; message_id: string; handed_over: string[] },
): Promise<void> {
  await sql`
    update deliveries set lease_id = null,
      status = case when id = any(${lease.handed_over}::uuid[]) then 'uncertain' else 'pending' end,
      attempts = case when id = any(${lease.handed_over}::uuid[]) then attempts else attempts - 1 end,
      detail = case when id = any(${lease.handed_over}::uuid[]) then 'the worker stopped before the answer was stored' end
    where merchant_id = ${scope.merchantId} and message_id = ${lease.message_id} and lease_id = ${lease.id}
      and status = 'sending'`.execute(scope.db)
  // A message stopped meanwhile is done: what came back to it stays, or it would wait for ever. The lock waits for a stop under way.
  const message = await scope.db
    .selectFrom('messages')
    .select('state')
    .where('merchant_id', '=', scope.merchantId)
    .where('id', '=', lease.message_id)
    .forShare()
    .executeTakeFirst()
  if (message?.state === 'done') await markPendingSkipped(scope, lease.message_id, 'cancelled')
}

export async function insertMailerPause(
  scope: MerchantScope,
  pause: { mailer: string; until: Date; detail: string },
): Promise<void> {
  await sql`insert into mailer_pauses (merchant_id, mailer, until, detail)
    values (${scope.merchantId}, ${pause.mailer}, ${pause.until}, ${pause.detail})
    on conflict (merchant_id, mailer) do update set until = greatest(mailer_pauses.until, excluded.until), detail = excluded.detail`.execute(
    scope.db,
  )
}

export async function findMailerPause(
  scope: MerchantScope,
  mailer: string,
): Promise<{ until: Date; detail: string | null } | null> {
  const row = await scope.db
    .selectFrom('mailer_pauses')
    .select(['until', 'detail'])
    .where('merchant_id', '=', scope.merchantId)
    .where('mailer', '=', mailer)
    .where('until', '>', scope.now)
    .executeTakeFirst()
  return row ?? null
}

/** Facts that come later, each at most once per delivery: answers only those that were the first of their kind. */
export async function markOutcomes(
  scope: MerchantScope,
  kind: 'opened' | 'machine_opened' | 'clicked' | 'machine_clicked' | 'unsubscribed' | 'bounced' | 'complained',
  outcomes: readonly { deliveryId: string; at: Date }[],
): Promise<
  { id: string; campaign_id: string | null; email_id: string | null; customer_id: string | null; test_mode: boolean }[]
> {
  const column = sql.ref(`${kind}_at`)
  const { rows } = await sql<{
    id: string
    campaign_id: string | null
    email_id: string | null
    customer_id: string | null
    test_mode: boolean
  }>`
    update deliveries d set ${column} = o.at
    from (select delivery_id, min(at) as at from unnest(${outcomes.map((o) => o.deliveryId)}::uuid[], ${outcomes.map((o) => o.at)}::timestamptz[])
      as given (delivery_id, at) group by delivery_id) o, messages m
    where d.merchant_id = ${scope.merchantId} and d.id = o.delivery_id and d.${column} is null
      and m.merchant_id = ${scope.merchantId} and m.id = d.message_id
    returning d.id, d.campaign_id, m.email_id, d.customer_id, (d.test_mode or d.kind = 'test') as test_mode`.execute(
    scope.db,
  )
  return rows
}

/** The sent rows of a message by quarter of an hour, without tests: the truth the counts of `stats` are set from. */
export async function countSentByBucket(
  scope: MerchantScope,
  messageId: string,
): Promise<{ bucket: Date; sent: number }[]> {
  const { rows } = await sql<{ bucket: Date; sent: number }>`
    select date_bin('15 minutes', sent_at, timestamptz '2000-01-01') as bucket, count(*)::int as sent
    from deliveries where merchant_id = ${scope.merchantId} and message_id = ${messageId} and status = 'sent' and not test_mode
    group by 1`.execute(scope.db)
  return rows
}

/**
 * How many mails the customers of a campaign have got in all, tests aside: a page of them, in the order of their ids, after `after`.
 */
export async function countMailsOfCustomers(
  scope: MerchantScope,
  page: { campaignId: string; after: string; limit: number },
): Promise<{ customerId: string; count: number }[]> {
  const { rows } = await sql<{ customerId: string; count: number }>`
    with people as (
      select customer_id from deliveries
      where merchant_id = ${scope.merchantId} and campaign_id = ${page.campaignId} and customer_id > ${page.after}
      order by customer_id limit ${page.limit}
    )
    select p.customer_id as "customerId", (
        select count(*)::int from deliveries d where d.merchant_id = ${scope.merchantId} and d.customer_id = p.customer_id
          and d.status = 'sent' and d.channel = 'email' and not d.test_mode
      ) as count
    from people p order by 1`.execute(scope.db)
  return rows
}

/** Whether a row of a message is due now, and when the next one will be. */
export async function findNextAttempt(
  scope: MerchantScope,
  messageId: string,
): Promise<{ due: boolean; at: Date | null }> {
  const { rows } = await sql<{ due: boolean; at: Date | null }>`
    select coalesce(bool_or(next_attempt_at is null or next_attempt_at <= ${scope.now}), false) as due,
      min(next_attempt_at) filter (where next_attempt_at > ${scope.now}) as at
    from deliveries where merchant_id = ${scope.merchantId} and message_id = ${messageId} and status = 'pending'`.execute(
    scope.db,
  )
  return rows[0] ?? { due: false, at: null }
}

export interface DeliveryRow {
  id: string
  kind: 'campaign' | 'scenario' | 'test'
  channel: 'email' | 'line'
  status: DeliveryStatus
  reason: string | null
  detail: string | null
  customer_id: string | null
  customer_name: string | null
  address: string | null
  subject: string | null
  campaign_id: string | null
  email_id: string | null
  message_id: string
  test_mode: boolean
  attempts: number
  created_at: Date
  sent_at: Date | null
  opened_at: Date | null
  clicked_at: Date | null
  bounced_at: Date | null
  unsubscribed_at: Date | null
}

/**
 * Deliveries with the names pages show, what needs a look first; `where` narrows them (over d). The names are looked up for the page's
 * rows only.
 */
async function selectDeliveries(
  scope: MerchantScope,
  options: { where: RawBuilder<boolean>; limit: number; offset: number },
): Promise<{ rows: DeliveryRow[]; total: number }> {
  const { merchantId } = scope
  const from = sql`from deliveries d where d.merchant_id = ${merchantId} and (${options.where})`
  const order = sql`array_position(array['failed', 'uncertain', 'sent', 'sending', 'pending', 'skipped'], d.status), d.id desc`
  const [page, count] = await Promise.all([
    sql<DeliveryRow>`
      select d.id, d.kind, d.channel, d.status, d.reason, d.detail, d.customer_id, c.display_name as customer_name,
        d.address, m.subject, d.campaign_id, m.email_id, d.message_id, d.test_mode, d.attempts, d.created_at, d.sent_at,
        d.opened_at, d.clicked_at, d.bounced_at, d.unsubscribed_at
      from (select d.* ${from} order by ${order} limit ${options.limit} offset ${options.offset}) d
      join messages m on m.merchant_id = ${merchantId} and m.id = d.message_id
      left join customers c on c.merchant_id = ${merchantId} and c.id = d.customer_id
      order by ${order}`.execute(scope.db),
    sql<{ total: number }>`select count(*)::int as total ${from}`.execute(scope.db),
  ])
  return { rows: page.rows, total: count.rows[0]?.total ?? 0 }
}

export const selectDeliveriesOfMessage = (
  scope: MerchantScope,
  messageId: string,
): Promise<{ rows: DeliveryRow[]; total: number }> =>
  selectDeliveries(scope, { where: sql`d.message_id = ${messageId}`, limit: 100, offset: 0 })

export function selectDeliveriesOfCampaign(
  scope: MerchantScope,
  campaignId: string,
  query: { status?: DeliveryStatus | undefined; q?: string | undefined; limit: number; offset: number },
): Promise<{ rows: DeliveryRow[]; total: number }> {
  const wanted = query.q ? `%${query.q.replace(/[\\%_]/g, '\\$&')}%` : null
  return selectDeliveries(scope, {
    where: sql<boolean>`d.campaign_id = ${campaignId}
      and (${query.status ?? null}::text is null or d.status = ${query.status ?? null})
      and (${wanted}::text is null or d.address ilike ${wanted} or exists (
        select from customers c where c.merchant_id = ${scope.merchantId} and c.id = d.customer_id and c.display_name ilike ${wanted}))`,
    limit: query.limit,
    offset: query.offset,
  })
}

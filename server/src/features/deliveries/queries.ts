import type { ChannelName, SkipReason } from '@okaeri/contract/deliveries/delivery'
import { type RawBuilder, sql } from 'kysely'
import { newId, newIdAt } from '../../kernel/ids.ts'
import type { MerchantScope, TransactionScope } from '../../kernel/merchant-scope.ts'
import type { RecipientVariables } from '../email-rendering/index.ts'
import { columnsOf, type Program, type WithColumns, withProgram } from '../stats/index.ts'
import type { PreparedContent } from './channel.ts'
import type { MessageRow } from './rows.ts'

const messageColumns = [
  'id',
  'channel',
  'campaign_id',
  'scenario_id',
  'node_id',
  'tracking_enabled',
  'state',
  'test_mode',
  'priority',
  'post_purchase',
  'consent_kind',
  'for_tests',
  'uses_coupon',
  'awaits_codes',
  'code_doubts',
  'is_receipt',
  'is_canary',
  'ab_group',
  'email_id as content_id',
  'created_at',
] as const
type NewMessage = Pick<MessageRow, 'id' | 'program' | 'state' | 'test_mode'> &
  Partial<
    Pick<
      MessageRow,
      'priority' | 'post_purchase' | 'consent_kind' | 'for_tests' | 'is_receipt' | 'is_canary' | 'ab_group'
    > & {
      version: number
      fingerprint: string
      uses_event: boolean
      uses_coupon: boolean
      awaits_codes: boolean
      uncounted_from: Date
      expected_count: number | null
    }
  >

/** With its content. Of a scenario's message that is there already nothing is written. */
export async function insertMessage(
  scope: TransactionScope,
  content: PreparedContent,
  { program, ...message }: NewMessage,
): Promise<void> {
  const { channel, contentId, tracking, links, legacyColumns } = content
  const isNew = await scope.db
    .insertInto('messages')
    .values({
      ...message,
      ...columnsOf(program),
      ...legacyColumns,
      channel,
      links,
      email_id: contentId,
      tracking_enabled: tracking.enabled,
      tracking_parameters: JSON.stringify(tracking.parameters),
      merchant_id: scope.merchantId,
      created_at: scope.now,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['merchant_id', 'scenario_id', 'node_id', 'version', 'fingerprint'])
        .where('scenario_id', 'is not', null)
        .doNothing(),
    )
    .returning('id')
    .executeTakeFirst()
  if (isNew) await content.insert(scope, message.id)
}

export async function findMessage(scope: MerchantScope, id: string): Promise<MessageRow | null> {
  const row = await scope.db
    .selectFrom('messages')
    .select(messageColumns)
    .where('merchant_id', '=', scope.merchantId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row ? (withProgram(row) as MessageRow) : null
}

/** One for each channel, and of mails one for each part of those who get them; in the order they were frozen in. */
export async function listCampaignMessages(scope: MerchantScope, campaignId: string): Promise<MessageRow[]> {
  const rows = await scope.db
    .selectFrom('messages')
    .select(messageColumns)
    .where('merchant_id', '=', scope.merchantId)
    .where('campaign_id', '=', campaignId)
    .orderBy('id')
    .execute()
  return rows.map((row) => withProgram(row) as MessageRow)
}

export async function getMessage(scope: MerchantScope, id: string): Promise<MessageRow> {
  const message = await findMessage(scope, id)
  if (!message) throw new Error(`there is no message ${id}`)
  return message
}

export async function markMessageState(scope: MerchantScope, id: string, state: MessageRow['state']): Promise<void> {
  await scope.db
    .updateTable('messages')
    .set({ state })
    .where('merchant_id', '=', scope.merchantId)
    .where('id', '=', id)
    .execute()
}

/** Holds the message against new rows until the transaction ends; see takeUpMessage in scenario-queries.ts. */
export async function lockMessage(scope: TransactionScope, id: string): Promise<void> {
  await sql`select from messages where merchant_id = ${scope.merchantId} and id = ${id} for update`.execute(scope.db)
}

export type ReleasedMessage = Pick<MessageRow, 'id' | 'program' | 'post_purchase' | 'for_tests'>
/** Of scenarios, which have many, only those with something to be done now: a row that is due, or none left. */
export async function listReleasedMessages(scope: MerchantScope): Promise<ReleasedMessage[]> {
  const { merchantId, now } = scope
  const pending = sql`from deliveries d where d.merchant_id = ${merchantId} and d.message_id = m.id and d.status = 'pending'`
  const { rows } = await sql<WithColumns<ReleasedMessage>>`
    select m.id, m.campaign_id, m.scenario_id, m.node_id, m.post_purchase, m.for_tests from messages m
    where m.merchant_id = ${merchantId} and m.state = 'released' and (m.scenario_id is null or not exists (select ${pending})
      or exists (select ${pending} and (d.next_attempt_at is null or d.next_attempt_at <= ${now})))
    order by m.id`.execute(scope.db)
  return rows.map(withProgram)
}

/**
 * Writes the frozen audience: one row for each customer the condition chooses, in one statement; returns how many the message has. Those who
 * cannot be mailed at this moment are recorded as skipped with their reason, so that the balance names everyone; the others are looked at again
 * when they are claimed. `reason` is over `c`, see contact-rule.ts. Rows, their ids and their customers have one order (the ids count up from one of the
 * statement's own): in any other each row would be written to, and claimed from, places far apart in every index. The merchant is the customer's
 * column: so Citus passes the insert on to their node as a whole, and no row goes through the coordinator.
 */
export async function insertAudience(
  scope: MerchantScope,
  audience: {
    campaignId: string
    messageId: string
    channel: ChannelName
    address: RawBuilder<string | null>
    addressKey: RawBuilder<string | null>
    where: RawBuilder<boolean>
    reason: RawBuilder<string | null>
    testMode: boolean
    ignoresConsent: boolean
    most: number | null
  },
): Promise<number> {
  const { merchantId, now } = scope
  // Not counted by the same statement: that needs, on Citus, nodes on which nothing of the merchant is.
  await sql`
    insert into deliveries (merchant_id, id, kind, channel, campaign_id, customer_id, message_id, status, reason, address,
      test_mode, ignores_consent, created_at)
    with chosen as (
      select c.merchant_id, c.id, ${audience.address} as address, ${audience.addressKey} as address_key, c.created_at, ${audience.reason} as why
      from customers c
      where c.merchant_id = ${merchantId} and (${audience.where})
    ), judged as (
      select c.merchant_id, c.id, c.address, c.created_at, case when ${isDuplicateAddress} then 'duplicate_address' else c.why end as why
      from chosen c
    ), numbered as (
      select merchant_id, id, address, ${audience.most === null ? sql`why` : reasonOrOverQuota(audience.most)} as why, row_number() over (order by id) as number
      from judged
    )
    select n.merchant_id, encode(${idPrefix(now)} || int4send(n.number::int), 'hex')::uuid, 'campaign', ${audience.channel}::text,
      ${audience.campaignId}::uuid, n.id, ${audience.messageId}::uuid, case when n.why is null then 'pending' else 'skipped' end, n.why, n.address,
      ${audience.testMode}::boolean, ${audience.ignoresConsent}::boolean, ${now}::timestamptz
    from numbered n order by n.id
    on conflict (merchant_id, campaign_id, customer_id, channel) where campaign_id is not null do nothing`.execute(
    scope.db,
  )
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from deliveries where merchant_id = ${merchantId} and message_id = ${audience.messageId}`.execute(
    scope.db,
  )
  return rows[0]?.count ?? 0
}

/** The first twelve bytes of ids of this moment. */
const idPrefix = (at: Date): RawBuilder<Buffer> =>
  sql`${Buffer.from(newIdAt(at).replaceAll('-', ''), 'hex').subarray(0, 12)}::bytea`

/**
 * Over `chosen`, a whole audience: one person, one message. Among those who can be reached all but the oldest customer of an address are
 * duplicates.
 */
const isDuplicateAddress = sql<boolean>`c.why is null
  and row_number() over (partition by c.address_key, (c.why is null) order by c.created_at, c.id) > 1`

/** Over `judged`: of those who can be reached only so many, beginning with who has been a customer for longest. */
const reasonOrOverQuota = (most: number): RawBuilder<string | null> => sql`case
  when why is null and row_number() over (partition by why is null order by created_at, id) > ${most} then 'over_quota' else why end`

/** Deletes a message with its rows. Returns false where one of them was ever claimed: then the transaction must not be committed. */
export async function deleteUnsent(scope: MerchantScope, messageId: string): Promise<boolean> {
  const { merchantId } = scope
  await sql`delete from deliveries where merchant_id = ${merchantId} and message_id = ${messageId}
    and status in ('pending', 'skipped') and attempts = 0`.execute(scope.db)
  const { rows } = await sql`
    delete from messages m where m.merchant_id = ${merchantId} and m.id = ${messageId}
      and not exists (select from deliveries d where d.merchant_id = ${merchantId} and d.message_id = ${messageId})
    returning 1`.execute(scope.db)
  return rows.length > 0
}

/**
 * Rows skipped for consent or address are judged again by today's state: customers who can be mailed now wait to be sent it, the others get
 * today's reason. Of several customers with one address one is mailed: the one who waits already, else the oldest. A waiting row that can
 * no longer be mailed is left to the claim.
 */
export async function recheckSkipped(
  scope: MerchantScope,
  {
    messageId,
    address,
    addressKey,
    reason,
  }: {
    messageId: string
    address: RawBuilder<string | null>
    addressKey: RawBuilder<string | null>
    reason: RawBuilder<string | null>
  },
): Promise<void> {
  const { merchantId } = scope
  await sql`
    with chosen as materialized (
      select d.id, d.status, d.reason, ${address} as address, ${addressKey} as address_key, c.created_at, c.id as customer_id, ${reason} as why
      from deliveries d join customers c on c.merchant_id = ${merchantId} and c.id = d.customer_id
      where d.merchant_id = ${merchantId} and d.message_id = ${messageId}
    ), ranked as (
      select *, case when why is null and row_number() over (
          partition by address_key, why is null or status not in ('pending', 'skipped')
          order by status = 'skipped', status = 'pending', created_at, customer_id) > 1
        then 'duplicate_address' else why end as now
      from chosen
    )
    update deliveries d set reason = r.now, status = case when r.now is null then 'pending' else 'skipped' end, address = r.address
    from ranked r
    where d.merchant_id = ${merchantId} and d.id = r.id and d.status = 'skipped' and d.reason in ${reachReasons}
      and r.now is distinct from d.reason`.execute(scope.db)
}
/** Reasons that may be over by the time a message leaves. */
const reachReasons = sql`('no_consent', 'paused', 'no_address', 'suppressed', 'not_linked', 'not_a_friend', 'blocked', 'duplicate_address')`

/** The rows wait for {@link recheckSkipped} as if no one could be reached. What was ever claimed stays. */
export async function moveToMessage(
  scope: MerchantScope,
  { from, to, which }: { from: MessageRow; to: MessageRow; which: RawBuilder<boolean> },
): Promise<void> {
  const { merchantId } = scope
  await sql`
    update deliveries d set message_id = ${to.id}, channel = ${to.channel}, status = 'skipped', reason = 'no_address', address = null
    from customers c
    where d.merchant_id = ${merchantId} and d.message_id = ${from.id} and d.attempts = 0
      and (d.status = 'pending' or (d.status = 'skipped' and d.reason in ${reachReasons}))
      and c.merchant_id = ${merchantId} and c.id = d.customer_id and ${which}`.execute(scope.db)
}

/** By `reason`, over `c`; the others of an address are its duplicates. */
export async function countByReason(
  scope: MerchantScope,
  {
    where,
    addressKey,
    reason,
  }: { where: RawBuilder<boolean>; addressKey: RawBuilder<string | null>; reason: RawBuilder<string | null> },
): Promise<{ reason: SkipReason | null; people: number }[]> {
  const { rows } = await sql<{ reason: SkipReason | null; people: number }>`
    with chosen as (
      select c.id, ${addressKey} as address_key, c.created_at, ${reason} as why
      from customers c where c.merchant_id = ${scope.merchantId} and (${where})
    ), judged as (
      select case when ${isDuplicateAddress} then 'duplicate_address' else c.why end as reason from chosen c
    )
    select reason, count(*)::int as people from judged group by reason`.execute(scope.db)
  return rows
}

/** How many people who would get it have each value of `by`, an expression over `c`. */
export async function countReachedBy(
  scope: MerchantScope,
  {
    where,
    addressKey,
    reason,
    by,
  }: {
    where: RawBuilder<boolean>
    addressKey: RawBuilder<string | null>
    reason: RawBuilder<string | null>
    by: RawBuilder<string | null>
  },
): Promise<{ value: string | null; people: number }[]> {
  const { rows } = await sql<{ value: string | null; people: number }>`
    with chosen as (
      select c.id, ${addressKey} as address_key, c.created_at, ${reason} as why, ${by} as value
      from customers c where c.merchant_id = ${scope.merchantId} and (${where})
    ), judged as (
      select c.value, c.why is not null or ${isDuplicateAddress} as skipped from chosen c
    )
    select value, count(*)::int as people from judged where not skipped group by value`.execute(scope.db)
  return rows
}

/**
 * How many of those an audience would mail got as many mails as the cap allows in the days before `at`: what the claim would say of them
 * then, if nothing else were sent until then.
 */
export async function countCapped(
  scope: MerchantScope,
  audience: {
    where: RawBuilder<boolean>
    addressKey: RawBuilder<string | null>
    reason: RawBuilder<string | null>
    /** They get another message before it. */
    getsAnother?: RawBuilder<boolean> | undefined
    cap: FrequencyCap
    at: Date
  },
): Promise<number> {
  const { merchantId } = scope
  const { where, addressKey, reason, getsAnother, cap } = audience
  const { rows } = await sql<{ count: number }>`
    with chosen as (
      select c.id, ${addressKey} as address_key, c.created_at, ${reason} as why, (${getsAnother ?? sql`false`})::int as others
      from customers c where c.merchant_id = ${merchantId} and (${where})
    ), judged as (
      select c.id, c.others, c.why is not null or ${isDuplicateAddress} as skipped from chosen c
    )
    select count(*)::int as count from judged left join (
      select d.customer_id, count(*) as messages from deliveries d join messages m on m.merchant_id = ${merchantId} and m.id = d.message_id
      where d.merchant_id = ${merchantId} and ${countsForCap(capSince(audience.at, cap))}
      group by d.customer_id
    ) got on got.customer_id = judged.id
    where not skipped and coalesce(got.messages, 0) + others >= ${cap.count}`.execute(scope.db)
  return rows[0]?.count ?? 0
}

/** At most so many mails to one person within so many days. */
export interface FrequencyCap {
  count: number
  days: number
}
export const capSince = (at: Date, { days }: FrequencyCap): Date => new Date(at.getTime() - days * DAY_MS)
const DAY_MS = 86_400_000

/**
 * Whether the cap counts a delivery `d` of a message `m`. Messages of a scenario that always sends do not count. A delivery that may have
 * arrived and is to be tried again does.
 */
export const countsForCap = (since: Date): RawBuilder<boolean> => sql`d.kind <> 'test' and not d.test_mode
  and m.priority <> 'always' and (d.status = 'sending' or (d.status = 'pending' and d.first_tried_at is not null)
    or (d.status in ('sent', 'uncertain') and coalesce(d.sent_at, d.created_at) > ${since}))`

export async function insertTestDelivery(
  scope: MerchantScope,
  row: { id: string; messageId: string; channel: ChannelName; customerId: string | null; address: string },
): Promise<void> {
  await scope.db
    .insertInto('deliveries')
    .values({
      merchant_id: scope.merchantId,
      id: row.id,
      kind: 'test',
      channel: row.channel,
      customer_id: row.customerId,
      message_id: row.messageId,
      status: 'pending',
      address: row.address,
      test_mode: true,
      created_at: scope.now,
    })
    .execute()
}

export async function insertReceipt(
  scope: TransactionScope,
  row: {
    messageId: string
    channel: ChannelName
    customerId: string
    variables: RecipientVariables
    testMode: boolean
  },
): Promise<void> {
  await scope.db
    .insertInto('deliveries')
    .values({
      merchant_id: scope.merchantId,
      id: newId(),
      kind: 'receipt',
      channel: row.channel,
      customer_id: row.customerId,
      message_id: row.messageId,
      status: 'pending',
      ignores_consent: true,
      test_mode: row.testMode,
      variables: JSON.stringify(row.variables),
      created_at: scope.now,
    })
    .execute()
}

/** Whether any row of a message still has to go out, or a lease is on it. */
export async function hasUnfinished(scope: MerchantScope, messageId: string): Promise<boolean> {
  const { rows } = await sql<{ unfinished: boolean }>`
    select exists (select from deliveries where merchant_id = ${scope.merchantId} and message_id = ${messageId} and status = 'pending')
      or exists (select from delivery_leases where merchant_id = ${scope.merchantId} and message_id = ${messageId})
      as unfinished`.execute(scope.db)
  return rows[0]?.unfinished ?? false
}

/** Whether a row of a message waits for any other address than these. */
export async function hasPendingElsewhere(
  scope: MerchantScope,
  messageId: string,
  addresses: readonly string[],
): Promise<boolean> {
  const { rows } = await sql<{ has: boolean }>`
    select exists (select from deliveries where merchant_id = ${scope.merchantId} and message_id = ${messageId}
      and status = 'pending' and not coalesce(address = any(${[...addresses]}::text[]), false)) as has`.execute(
    scope.db,
  )
  return rows[0]?.has ?? false
}

/**
 * Whether a recipient of the message could be tried now and was not yet, or is being tried. Who was put off to another hour or day (a slow receiver,
 * a domain that is warmed up) is not waited for, once half of all were tried.
 */
export async function hasUntried(scope: MerchantScope, messageId: string): Promise<boolean> {
  const { merchantId, now } = scope
  const rows = sql`from deliveries where merchant_id = ${merchantId} and message_id = ${messageId}`
  const isPutOff = sql`(reason in ('receiver_limit', 'warm_up') and next_attempt_at > ${now})`
  const found = await sql<{ has: boolean; put_off: number }>`
    select exists (select ${rows} and status = 'pending' and attempts = 0 and not coalesce(${isPutOff}, false))
        or exists (select from delivery_leases where merchant_id = ${merchantId} and message_id = ${messageId}) as has,
      (select count(*)::int ${rows} and status = 'pending' and attempts = 0 and ${isPutOff}) as put_off`.execute(
    scope.db,
  )
  const { has = false, put_off: postponed = 0 } = found.rows[0] ?? {}
  if (has || postponed === 0) return has
  const { rows: tried } = await sql`
    select ${rows} and (status in ('sent', 'failed', 'uncertain') or attempts > 0) limit ${postponed}`.execute(scope.db)
  return tried.length < postponed
}

/** What of a message is not its content's own table: where it leads, and what it was written in. */
export async function copyMessageColumns(scope: TransactionScope, fromId: string, toId: string): Promise<void> {
  await sql`
    update messages t set email_id = f.email_id, links = f.links, subject = f.subject, preheader = f.preheader, from_name = f.from_name,
      from_email = f.from_email, reply_to = f.reply_to, html = f.html, text = f.text
    from messages f
    where f.merchant_id = ${scope.merchantId} and f.id = ${fromId} and t.merchant_id = ${scope.merchantId} and t.id = ${toId}`.execute(
    scope.db,
  )
}

export async function markPendingSkipped(scope: MerchantScope, messageId: string, reason: SkipReason): Promise<number> {
  // Those who may have got it already and were to be tried again are not skipped: it is unknown.
  const result =
    await sql`update deliveries set status = case when first_tried_at is null then 'skipped' else 'uncertain' end,
      reason = case when first_tried_at is null then ${reason} end
    where merchant_id = ${scope.merchantId} and message_id = ${messageId} and status = 'pending'`.execute(scope.db)
  return Number(result.numAffectedRows ?? 0)
}

/** Fails what waits of a message whose content cannot be filled in for any recipient. Who may have got it already is uncertain instead. */
export async function failPending(scope: MerchantScope, messageId: string, detail: string): Promise<void> {
  await sql`
    update deliveries set status = case when first_tried_at is null then 'failed' else 'uncertain' end,
      reason = case when first_tried_at is null then 'content' end, detail = ${detail}, next_attempt_at = null
    where merchant_id = ${scope.merchantId} and message_id = ${messageId} and status = 'pending'`.execute(scope.db)
}

/** Puts rows of a campaign back to pending, to be sent again: the failed ones, or (when a person asked) the uncertain ones. */
export async function requeueRows(
  scope: MerchantScope,
  campaignId: string,
  from: 'failed' | 'uncertain',
): Promise<number> {
  if (from === 'uncertain') await deleteUnrecorded(scope, campaignId)
  const result = await sql`
    update deliveries set status = 'pending', reason = null, detail = null, attempts = 0, next_attempt_at = null, lease_id = null,
      first_tried_at = null, batch_id = null
    where merchant_id = ${scope.merchantId} and campaign_id = ${campaignId} and status = ${from}
      and (${from === 'uncertain'}::boolean or reason is distinct from 'content')`.execute(scope.db)
  return Number(result.numAffectedRows ?? 0)
}

/** A person has seen that those of the program that are uncertain may get it again: that they got it in a forgotten time is known then. */
export async function deleteUnrecorded(scope: MerchantScope, programId: string): Promise<void> {
  const { merchantId } = scope
  await sql`delete from unrecorded_departures u using deliveries d
    where u.merchant_id = ${merchantId} and u.program_id = ${programId} and d.merchant_id = ${merchantId}
      and d.customer_id = u.customer_id and d.status = 'uncertain' and ${programId} in (d.campaign_id, d.scenario_id)`.execute(
    scope.db,
  )
}

/** Where a customer was written to; the rows themselves stay, for the counts. */
export async function clearAddresses(scope: MerchantScope, customerId: string): Promise<void> {
  await scope.db
    .updateTable('deliveries')
    .set({ address: null, variables: null, filled_subject: null })
    .where('merchant_id', '=', scope.merchantId)
    .where('customer_id', '=', customerId)
    .where('status', 'in', ['sent', 'failed', 'skipped', 'uncertain'])
    .execute()
}

export async function moveToCustomer(scope: MerchantScope, fromId: string, intoId: string): Promise<void> {
  await sql`
    update deliveries d set customer_id = ${intoId}
    where d.merchant_id = ${scope.merchantId} and d.customer_id = ${fromId} and not exists (
      select from deliveries k
      where k.merchant_id = ${scope.merchantId} and k.customer_id = ${intoId} and k.campaign_id = d.campaign_id
        and k.channel = d.channel)
  `.execute(scope.db)
}

/**
 * These customers are one. Of the mails a scenario's node still has to send to them, only those go out that are for the customer with the
 * oldest mail, or with one under way.
 */
export async function skipDuplicates(scope: MerchantScope, customerIds: readonly string[]): Promise<void> {
  const { merchantId } = scope
  await sql`
    with theirs as (
      select id, customer_id, scenario_id, node_id, status from deliveries
      where merchant_id = ${merchantId} and customer_id = any(${[...customerIds]}::uuid[]) and kind = 'scenario'
        and status in ('pending', 'sending') order by id for update
    ), judged as (
      select id, customer_id, status,
        first_value(customer_id) over (partition by scenario_id, node_id order by status desc, id) as goes_to
      from theirs
    )
    update deliveries d set status = 'skipped', reason = 'duplicate_address', next_attempt_at = null
    from judged j
    where d.merchant_id = ${merchantId} and d.id = j.id and d.status = 'pending' and j.customer_id <> j.goes_to`.execute(
    scope.db,
  )
}

/** Tells the planner what has just been written: without it, it takes a hundred thousand new rows for none. */
export async function analyzeDeliveries(scope: MerchantScope): Promise<void> {
  await sql`analyze deliveries`.execute(scope.db)
}

/**
 * Whether a pause was stored before the clock was set back: it ends later than any pause can. The longest is 15 minutes, or the rest of a
 * month where that is used up; clocks of machines differ a little.
 */
const isFromBeforeClockReset = ({ now }: MerchantScope): RawBuilder<boolean> => {
  const inMinutes = (minutes: number): Date => new Date(now.getTime() + minutes * 60_000)
  return sql`channel_pauses.until > case when channel_pauses.by_quota then ${inMinutes(32 * 24 * 60)}::timestamptz
    else ${inMinutes(16)}::timestamptz end`
}

/** `unlessBeside`: none while a lease other than this one is held. */
export async function insertPause(
  scope: MerchantScope,
  pause: {
    channel: ChannelName
    route: string
    until: Date
    detail: string
    byQuota: boolean
    unlessBeside?: number | null
  },
): Promise<void> {
  const { unlessBeside = null } = pause
  if (unlessBeside !== null && (await hasOtherLease(scope, unlessBeside))) return
  await sql`insert into channel_pauses (merchant_id, channel, route, until, detail, by_quota)
    values (${scope.merchantId}, ${pause.channel}, ${pause.route}, ${pause.until}, ${pause.detail}, ${pause.byQuota})
    on conflict (merchant_id, channel, route) do update
      set until = excluded.until, detail = excluded.detail, by_quota = excluded.by_quota
      where ${isFromBeforeClockReset(scope)} or excluded.until > channel_pauses.until`.execute(scope.db)
}

async function hasOtherLease(scope: MerchantScope, leaseId: number): Promise<boolean> {
  const { rows } = await sql`select from delivery_leases
    where merchant_id = ${scope.merchantId} and id <> ${leaseId} limit 1`.execute(scope.db)
  return rows.length > 0
}

/** A person says that there are messages again. */
export async function resumeAfterQuota(scope: MerchantScope, channel: ChannelName): Promise<void> {
  await sql`delete from channel_pauses
    where merchant_id = ${scope.merchantId} and channel = ${channel} and by_quota`.execute(scope.db)
}

/**
 * People for whom a message of the channel waits, those of audiences that are not written yet included. What is being handed over is the
 * provider's to count, unless `handedOver`: then it counts here, until its answer is stored.
 */
export async function countWaiting(
  { db, merchantId }: MerchantScope,
  channel: ChannelName,
  { handedOver = false }: { handedOver?: boolean } = {},
): Promise<number> {
  const open = sql`m.merchant_id = ${merchantId} and m.channel = ${channel} and m.state <> 'done'`
  const rowsOf = (which: RawBuilder<unknown>) => sql<number>`(
    select count(*) from messages m join deliveries d on d.merchant_id = ${merchantId} and d.message_id = m.id
    where ${open} and d.kind <> 'test' and not d.test_mode and ${which})`
  // Without a lease nothing of a message is being handed over: its rows, which no index of that state finds, are not looked through.
  const sending = sql`d.status = 'sending' and m.id in (select message_id from delivery_leases where merchant_id = ${merchantId})`
  const { rows } = await sql<{ count: number }>`
    select (${rowsOf(sql`d.status = 'pending'`)} + ${handedOver ? rowsOf(sending) : sql`0`}
      + (select coalesce(sum(m.expected_count), 0) from messages m where ${open}
        and not exists (select from deliveries d where d.merchant_id = ${merchantId} and d.message_id = m.id)))::int as count`.execute(
    db,
  )
  return rows[0]?.count ?? 0
}

export async function selectPause(
  scope: MerchantScope,
  { channel, route }: { channel: ChannelName; route: string },
): Promise<{ until: Date; detail: string | null; by_quota: boolean } | null> {
  const { rows } = await sql<{ until: Date; detail: string | null; by_quota: boolean }>`
    select until, detail, by_quota from channel_pauses
    where merchant_id = ${scope.merchantId} and channel = ${channel} and route = ${route} and until > ${scope.now}
      and not ${isFromBeforeClockReset(scope)}`.execute(scope.db)
  return rows[0] ?? null
}

interface OutcomeRow {
  id: string
  program: Program | null
  channel: ChannelName
  content_id: string | null
  customer_id: string | null
  test_mode: boolean
}
/** Facts that come later, each at most once per delivery: answers only those that were the first of their kind. */
export async function markOutcomes(
  scope: MerchantScope,
  kind: 'opened' | 'machine_opened' | 'clicked' | 'machine_clicked' | 'unsubscribed' | 'bounced' | 'complained',
  outcomes: readonly { deliveryId: string; at: Date; bounceKind?: string }[],
): Promise<OutcomeRow[]> {
  const column = sql.ref(`${kind}_at`)
  const bounceKind = kind === 'bounced' ? sql`, bounce_kind = o.bounce_kind` : sql``
  const { rows } = await sql<WithColumns<OutcomeRow>>`
    update deliveries d set ${column} = o.at${bounceKind}
    from (select delivery_id, min(at) as at, min(bounce_kind) as bounce_kind
      from unnest(${outcomes.map((o) => o.deliveryId)}::uuid[], ${outcomes.map((o) => o.at)}::timestamptz[],
        ${outcomes.map((o) => o.bounceKind ?? null)}::text[])
      as given (delivery_id, at, bounce_kind) group by delivery_id) o, messages m
    where d.merchant_id = ${scope.merchantId} and d.id = o.delivery_id and d.${column} is null
      and m.merchant_id = ${scope.merchantId} and m.id = d.message_id
    returning d.id, d.campaign_id, d.scenario_id, d.node_id, d.channel, m.email_id as content_id, d.customer_id, (d.test_mode or d.kind = 'test') as test_mode`.execute(
    scope.db,
  )
  return rows.map(withProgram)
}

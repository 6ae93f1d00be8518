import type { ChannelName, SkipReason } from '@okaeri/contract/deliveries/delivery'
import { type RawBuilder, sql } from 'kysely'
import { newIdAt } from '../../kernel/ids.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import type { MessageRow } from './rows.ts'

/**
 * Writes the frozen audience in one statement: one row for each customer whom `where` chooses. Customers who cannot be contacted now are
 * `skipped` with their `reason` (SQL over `c`, see contact-rule.ts), so that the balance counts everyone; the others are checked again when they are
 * claimed. Returns how many rows the message has.
 *
 * Rows, their ids and their customers are in one order: the ids count up from a prefix made for the statement. In any other order each row would be
 * written to, and claimed from, places far apart in every index. The merchant's id is read from the customer's column: so Citus passes the insert on to
 * their node as a whole, and no row goes through the coordinator.
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

/**
 * Checks rows that were skipped for consent or address again: customers who can be contacted now become `pending`, the others get today's reason.
 * Of several customers with one address one gets the message: the one who is `pending` already, else the oldest. A `pending` row that can no longer be
 * sent is left to the claim.
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

/** The moved rows are `skipped` as if no one could be reached, until {@link recheckSkipped} checks them. Rows that were ever claimed stay. */
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

/** Tells the planner what has just been written: without it, it takes a hundred thousand new rows for none. */
export async function analyzeDeliveries(scope: MerchantScope): Promise<void> {
  await sql`analyze deliveries`.execute(scope.db)
}

import type { ChannelName, SkipReason } from '@okaeri/contract/deliveries/delivery'
import { type RawBuilder, sql } from 'kysely'
import { newId } from '../../kernel/ids.ts'
import type { MerchantScope, TransactionScope } from '../../kernel/merchant-scope.ts'
import type { RecipientVariables } from '../email-rendering/index.ts'
import { type Program, type WithColumns, withProgram } from '../stats/index.ts'

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

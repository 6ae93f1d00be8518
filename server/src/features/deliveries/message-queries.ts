import { sql } from 'kysely'
import type { MerchantScope, TransactionScope } from '../../kernel/merchant-scope.ts'
import { columnsOf, type WithColumns, withProgram } from '../stats/index.ts'
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

/** Holds the message against new rows until the transaction ends; see reopenMessage in scenario-queries.ts. */
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

/** Whether any row of a message still has to go out, or a lease is on it. */
export async function hasUnfinished(scope: MerchantScope, messageId: string): Promise<boolean> {
  const { rows } = await sql<{ unfinished: boolean }>`
    select exists (select from deliveries where merchant_id = ${scope.merchantId} and message_id = ${messageId} and status = 'pending')
      or exists (select from delivery_leases where merchant_id = ${scope.merchantId} and message_id = ${messageId})
      as unfinished`.execute(scope.db)
  return rows[0]?.unfinished ?? false
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

/** The columns of `messages` that belong to the content: links, and the email it was made from. The rest is in the channel's table. */
export async function copyMessageColumns(scope: TransactionScope, fromId: string, toId: string): Promise<void> {
  await sql`
    update messages t set email_id = f.email_id, links = f.links, subject = f.subject, preheader = f.preheader, from_name = f.from_name,
      from_email = f.from_email, reply_to = f.reply_to, html = f.html, text = f.text
    from messages f
    where f.merchant_id = ${scope.merchantId} and f.id = ${fromId} and t.merchant_id = ${scope.merchantId} and t.id = ${toId}`.execute(
    scope.db,
  )
}

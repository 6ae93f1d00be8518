import { sql } from 'kysely'
import type { MerchantScope } from '../../../kernel/merchant-scope.ts'

/**
 * That a message goes without its unit, unless some of it was taken under it this month. Returns whether it does, also where that had been
 * written before.
 */
export async function markUnitRefused(scope: MerchantScope, messageId: string, month: Date): Promise<boolean> {
  const { merchantId } = scope
  const { rows } = await sql`
    update line_contents set unit_refused = true, opened_due_at = null
    where merchant_id = ${merchantId} and message_id = ${messageId} and unit is not null and (unit_refused or not exists (
      select from deliveries d where d.merchant_id = ${merchantId} and d.message_id = ${messageId} and d.status = 'sent' and d.sent_at >= ${month}
    )) returning message_id`.execute(scope.db)
  return rows.length > 0
}

export interface DueOpenings {
  message_id: string
  unit: string
  first_sent_at: Date | null
}

/** What is to be read now, the longest due first. */
export async function listDueOpenings(scope: MerchantScope, limit: number): Promise<DueOpenings[]> {
  const { rows } = await sql<DueOpenings>`
    select message_id, unit, first_sent_at from line_contents
    where merchant_id = ${scope.merchantId} and opened_due_at <= ${scope.now} and unit is not null
    order by opened_due_at, message_id limit ${limit}`.execute(scope.db)
  return rows
}

/** When the first of a message was sent; whether more of it may be. */
export async function findFirstSent(
  scope: MerchantScope,
  messageId: string,
): Promise<{ at: Date | null; is_over: boolean }> {
  const { merchantId } = scope
  const { rows } = await sql<{ at: Date | null; is_over: boolean }>`
    select (select min(sent_at) from deliveries
        where merchant_id = ${merchantId} and message_id = ${messageId} and status = 'sent') as at,
      coalesce((select state = 'done' from messages where merchant_id = ${merchantId} and id = ${messageId}), true) as is_over`.execute(
    scope.db,
  )
  return rows[0] ?? { at: null, is_over: true }
}

/** Not where another channel was connected meanwhile: it is read no more. */
export async function postponeOpenings(scope: MerchantScope, messageId: string, dueAt: Date | null): Promise<void> {
  await sql`update line_contents set opened_due_at = ${dueAt}
    where merchant_id = ${scope.merchantId} and message_id = ${messageId} and opened_due_at is not null`.execute(
    scope.db,
  )
}

/** What was read, as {@link postponeOpenings}. A count is of all who ever opened it: the highest one reported stays. */
export async function storeOpenings(
  scope: MerchantScope,
  messageId: string,
  read: { firstSentAt: Date; opened: number | null; dueAt: Date | null },
): Promise<void> {
  await sql`
    update line_contents set first_sent_at = ${read.firstSentAt}, opened_count = greatest(opened_count, ${read.opened}::int),
      opened_read_at = ${scope.now}, opened_due_at = ${read.dueAt}
    where merchant_id = ${scope.merchantId} and message_id = ${messageId} and opened_due_at is not null`.execute(
    scope.db,
  )
}

/** What went out already is read no more; what is still to go has not been counted anywhere yet. */
export async function endOpeningsOfSent(scope: MerchantScope): Promise<void> {
  const { merchantId } = scope
  await sql`
    update line_contents f set opened_due_at = null
    where f.merchant_id = ${merchantId} and f.opened_due_at is not null and exists (
      select from deliveries d where d.merchant_id = ${merchantId} and d.message_id = f.message_id and d.status = 'sent'
    )`.execute(scope.db)
}

export interface LineOpenings {
  unit_refused: boolean
  /** It is read no more. */
  is_over: boolean
  opened_count: number | null
  opened_read_at: Date | null
}
/** The openings of a campaign's LINE message; null where it is not counted. */
export async function findLineOpenings(scope: MerchantScope, campaignId: string): Promise<LineOpenings | null> {
  const { rows } = await sql<LineOpenings>`
    select f.unit_refused, f.opened_due_at is null as is_over, f.opened_count, f.opened_read_at from messages m
    join line_contents f on f.merchant_id = m.merchant_id and f.message_id = m.id and f.unit is not null
    where m.merchant_id = ${scope.merchantId} and m.campaign_id = ${campaignId} and m.channel = 'line'`.execute(
    scope.db,
  )
  return rows[0] ?? null
}

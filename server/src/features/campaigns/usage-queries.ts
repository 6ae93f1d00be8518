import { type RawBuilder, sql } from 'kysely'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'

/** Until one of these is left, the campaign still needs its segment, its email and its LINE message. */
const unfinished = ['draft', 'collecting', 'reserving', 'reserved', 'waiting', 'sending']

/** The campaigns not yet done that what they use cannot be taken from, newest first. What the channels of one do not send it does not use. */
export async function listCampaignsUsing(
  scope: MerchantScope,
  what: { segmentId: string } | { emailId: string } | { lineMessageId: string },
): Promise<{ type: 'campaign'; id: string; name: string; status: string }[]> {
  const { rows } = await sql<{ type: 'campaign'; id: string; name: string; status: string }>`
    select 'campaign' as type, id, name, status from campaigns
    where merchant_id = ${scope.merchantId} and ${usesOf(what)} and status = any(${unfinished})
    order by created_at desc, id desc`.execute(scope.db)
  return rows
}

function usesOf(what: { segmentId: string } | { emailId: string } | { lineMessageId: string }): RawBuilder<boolean> {
  if ('segmentId' in what) return sql`customer_segment_id = ${what.segmentId}`
  if ('emailId' in what)
    return sql`((email_id = ${what.emailId} and channels <> 'line') or (channels = 'email' and ab_test ->> 'differs' = 'email'
      and ab_test ->> 'email_id' = ${what.emailId}::text))`
  return sql`line_message_id = ${what.lineMessageId} and channels <> 'email'`
}

/** The ids that are campaigns of the merchant, deleted ones included. */
export async function knownCampaigns(scope: MerchantScope, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ id: string }>`
    select id from campaigns where merchant_id = ${scope.merchantId} and id = any(${[...ids]}::uuid[])`.execute(
    scope.db,
  )
  return new Set(rows.map(({ id }) => id))
}

import { sql } from 'kysely'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'

/** Until one of these is left, the campaign still needs its segment and its e-mail. */
const unfinished = ['draft', 'collecting', 'reserving', 'reserved', 'waiting', 'sending']

/** The campaigns not yet done that a segment or an e-mail cannot be taken from, newest first. */
export async function listCampaignsUsing(
  scope: MerchantScope,
  what: { segmentId: string } | { emailId: string },
): Promise<{ type: 'campaign'; id: string; name: string; status: string }[]> {
  const uses = 'segmentId' in what ? sql`customer_segment_id = ${what.segmentId}` : sql`email_id = ${what.emailId}`
  const { rows } = await sql<{ type: 'campaign'; id: string; name: string; status: string }>`
    select 'campaign' as type, id, name, status from campaigns
    where merchant_id = ${scope.merchantId} and ${uses} and status = any(${unfinished})
    order by created_at desc, id desc`.execute(scope.db)
  return rows
}

/** The ids that are campaigns of the merchant, deleted ones included. */
export async function knownCampaigns(scope: MerchantScope, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ id: string }>`
    select id from campaigns where merchant_id = ${scope.merchantId} and id = any(${[...ids]}::uuid[])`.execute(
    scope.db,
  )
  return new Set(rows.map(({ id }) => id))
}

import { type RawBuilder, sql } from 'kysely'
import type { Context } from './context.ts'

/**
 * The only statements across merchants (domain.md §1): which merchants have due work of a kind. They read, take no lock, and
 * answer ids alone; the work is then claimed merchant by merchant.
 */
const merchantsWith = {
  released_messages: () => sql`select distinct merchant_id from messages where state = 'released'`,
  // Leases live in real time: the database's own clock.
  expired_leases: () => sql`select distinct merchant_id from delivery_leases where expires_at < clock_timestamp()`,
  due_campaigns: ({ clock }) => sql`
    select distinct merchant_id from campaigns
    where status in ('collecting', 'reserving', 'waiting', 'sending') or (status = 'reserved' and scheduled_at <= ${clock.now()})`,
  unjudged_hits: ({ clock }) => sql`
    select distinct merchant_id from tracking_hits where judged_at is null and occurred_at <= ${clock.now()}`,
} satisfies Record<string, (context: Context) => RawBuilder<{ merchant_id: string }>>
export type DueKind = keyof typeof merchantsWith

/** Ids of the merchants that have due work of this kind, in no order. */
export async function listMerchantsWithDue(context: Context, kind: DueKind): Promise<string[]> {
  const { rows } = await merchantsWith[kind](context).execute(context.db)
  return rows.map(({ merchant_id }) => merchant_id)
}

import { type RawBuilder, sql } from 'kysely'
import type { Context } from './context.ts'

/**
 * The only statements across merchants (domain.md §1): which merchants have due work of a kind. They read, take no lock, and
 * answer ids alone; the work is then claimed merchant by merchant.
 */
const merchantsWith = {
  unjudged_hits: ({ clock }: Context): RawBuilder<{ merchant_id: string }> => sql`
    select distinct merchant_id from tracking_hits where judged_at is null and occurred_at <= ${clock.now()}`,
} as const
export type DueKind = keyof typeof merchantsWith

/** Ids of the merchants that have due work of this kind, in no order. */
export async function listMerchantsWithDue(context: Context, kind: DueKind): Promise<string[]> {
  const { rows } = await merchantsWith[kind](context).execute(context.db)
  return rows.map(({ merchant_id }) => merchant_id)
}

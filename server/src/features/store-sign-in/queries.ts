import { sql } from 'kysely'
import type { Context } from '../../kernel/context.ts'

export interface Authorization {
  state: string
  shop_domain: string
  merchant_id: string | null
  session_id: string | null
}

/** Not tenant data: the merchant may not exist yet. Also deletes authorizations that never came back. */
export async function insertAuthorization(
  context: Context,
  authorization: Authorization & { at: Date; staleBefore: Date },
): Promise<void> {
  const { state, shop_domain, merchant_id, session_id, at, staleBefore } = authorization
  await sql`delete from store_authorizations where created_at < ${staleBefore}`.execute(context.db)
  await sql`insert into store_authorizations (state, shop_domain, merchant_id, session_id, created_at)
    values (${state}, ${shop_domain}, ${merchant_id}, ${session_id}, ${at})`.execute(context.db)
}

/** Deletes it, so that it can be used only once. */
export async function takeAuthorization(
  context: Context,
  wanted: { state: string; shopDomain: string; since: Date },
): Promise<Authorization | null> {
  const { rows } = await sql<Authorization>`
    delete from store_authorizations
    where state = ${wanted.state} and shop_domain = ${wanted.shopDomain} and created_at > ${wanted.since}
    returning state, shop_domain, merchant_id, session_id`.execute(context.db)
  return rows[0] ?? null
}

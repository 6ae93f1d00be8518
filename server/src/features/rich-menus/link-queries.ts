import { sql } from 'kysely'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'

/** For each friend in a segment whose menus are shown now: the menu with the nearest start. */
const wantedLinks = ({ merchantId, now }: MerchantScope) => sql`
  select distinct on (f.line_user_id) f.line_user_id, u.line_menu_id
  from rich_menus m
    join rich_menu_uploads u on u.merchant_id = ${merchantId} and u.menu_id = m.id and u.tab = 0
    join segment_members s on s.merchant_id = ${merchantId} and s.segment_id = m.segment_id
    join line_friends f on f.merchant_id = ${merchantId} and f.customer_id = s.customer_id and f.is_friend
  where m.merchant_id = ${merchantId} and m.state = 'active' and m.starts_at <= ${now} and (m.ends_at is null or m.ends_at > ${now})
  order by f.line_user_id, m.starts_at desc, m.id desc`

/**
 * Notes who should have another menu than was last set, or none of their own any more. What is right stays untouched. One statement, for the
 * members of large segments are read only once.
 */
export async function compareLinks(scope: MerchantScope): Promise<void> {
  const { merchantId } = scope
  await sql`
    insert into rich_menu_links (merchant_id, line_user_id, line_menu_id)
    select ${merchantId}, coalesce(w.line_user_id, l.line_user_id), w.line_menu_id
    from (${wantedLinks(scope)}) as w
      full join (select line_user_id, line_menu_id from rich_menu_links where merchant_id = ${merchantId}) as l
        on l.line_user_id = w.line_user_id
    where l.line_menu_id is distinct from w.line_menu_id
    on conflict (merchant_id, line_user_id)
      do update set line_menu_id = excluded.line_menu_id, is_pending = true, is_refused = false`.execute(scope.db)
}

/**
 * People whose menu the platform does not know yet, by menu. Not those who are no friends now: the platform ignores them silently, and
 * remembers what they had.
 */
export async function listPending(
  scope: MerchantScope,
  limit: number,
): Promise<{ line_user_id: string; line_menu_id: string | null }[]> {
  const { rows } = await sql<{ line_user_id: string; line_menu_id: string | null }>`
    select l.line_user_id, l.line_menu_id from rich_menu_links l
    where l.merchant_id = ${scope.merchantId} and l.is_pending and not exists (
      select from line_friends f
      where f.merchant_id = ${scope.merchantId} and f.line_user_id = l.line_user_id and not f.is_friend)
    order by l.line_menu_id, l.line_user_id limit ${limit}`.execute(scope.db)
  return rows
}

interface LinkedUsers {
  lineMenuId: string | null
  userIds: readonly string[]
}

/** The platform took it. */
export async function markDone(scope: MerchantScope, { lineMenuId, userIds }: LinkedUsers): Promise<void> {
  const those = sql`l.merchant_id = ${scope.merchantId} and l.line_user_id = any(${[...userIds]}::text[])
    and l.line_menu_id is not distinct from ${lineMenuId}`
  await (lineMenuId === null
    ? sql`delete from rich_menu_links l where ${those}`
    : sql`update rich_menu_links l set is_pending = false where ${those}`
  ).execute(scope.db)
}

export async function markRefused(scope: MerchantScope, userId: string): Promise<void> {
  await sql`update rich_menu_links set is_pending = false, is_refused = true
    where merchant_id = ${scope.merchantId} and line_user_id = ${userId}`.execute(scope.db)
}

/** What was sent to the platform before may no longer hold. */
export async function markAllPending(scope: MerchantScope): Promise<void> {
  await sql`update rich_menu_links set is_pending = true, is_refused = false
    where merchant_id = ${scope.merchantId}`.execute(scope.db)
}

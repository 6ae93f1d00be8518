import type { RichMenuTrouble } from '@okaeri/contract/rich-menus/menu'
import { sql } from 'kysely'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'

/** Something was changed that may change what the platform should show. */
export async function lookSoon(scope: MerchantScope): Promise<void> {
  await sql`insert into rich_menu_looks (merchant_id, look_at, changes) values (${scope.merchantId}, ${scope.now}, 1)
    on conflict (merchant_id) do update set look_at = excluded.look_at, changes = rich_menu_looks.changes + 1`.execute(
    scope.db,
  )
}

export interface Look {
  changes: number
  failures: number
  until: Date
}

/** Null: another worker is at it, or nothing is due. */
export async function claimLook(scope: MerchantScope, until: Date): Promise<Look | null> {
  const { rows } = await sql<{ changes: number; failures: number }>`
    update rich_menu_looks set held_until = ${until}
    where merchant_id = ${scope.merchantId} and look_at <= ${scope.now} and (held_until is null or held_until <= ${scope.now})
    returning changes, failures`.execute(scope.db)
  return rows[0] ? { ...rows[0], until } : null
}

/**
 * What came of it. When something was changed meanwhile, or another worker took over, it is looked again at once: what this look did may
 * not be what should be.
 */
export async function reportLook(
  scope: MerchantScope,
  look: Look,
  outcome: { shown?: string | null; trouble: RichMenuTrouble | null; failures: number; lookAt: Date | null },
): Promise<void> {
  const isLast = sql`changes = ${look.changes} and held_until = ${look.until}`
  await sql`
    update rich_menu_looks set look_at = case when ${isLast} then ${outcome.lookAt}::timestamptz else ${scope.now} end,
      shown_menu_id = ${outcome.shown === undefined ? sql`shown_menu_id` : sql`${outcome.shown}::uuid`},
      trouble = ${outcome.trouble}, failures = ${outcome.failures},
      held_until = case when held_until = ${look.until} then null else held_until end
    where merchant_id = ${scope.merchantId}`.execute(scope.db)
}

export async function findTrouble(scope: MerchantScope): Promise<RichMenuTrouble | null> {
  const { rows } = await sql<{ trouble: RichMenuTrouble | null }>`
    select trouble from rich_menu_looks where merchant_id = ${scope.merchantId}`.execute(scope.db)
  return rows[0]?.trouble ?? null
}

/** By tab, the platform's ids of what was made with its picture. */
export async function listUploads(scope: MerchantScope, menuId: string): Promise<Map<number, string>> {
  const { rows } = await sql<{ tab: number; line_menu_id: string }>`
    select tab, line_menu_id from rich_menu_uploads where merchant_id = ${scope.merchantId} and menu_id = ${menuId}`.execute(
    scope.db,
  )
  return new Map(rows.map(({ tab, line_menu_id }) => [tab, line_menu_id]))
}

export async function keepUpload(
  scope: MerchantScope,
  { menuId, tab, lineMenuId }: { menuId: string; tab: number; lineMenuId: string },
): Promise<void> {
  await sql`insert into rich_menu_uploads (merchant_id, menu_id, tab, line_menu_id)
    values (${scope.merchantId}, ${menuId}, ${tab}, ${lineMenuId})
    on conflict (merchant_id, menu_id, tab) do update set line_menu_id = excluded.line_menu_id`.execute(scope.db)
}

/** Of menus that are at the platform no more. */
export async function forgetUploads(scope: MerchantScope, lineMenuId: string): Promise<void> {
  await sql`delete from rich_menu_uploads where merchant_id = ${scope.merchantId} and line_menu_id = ${lineMenuId}`.execute(
    scope.db,
  )
}

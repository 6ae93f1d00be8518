import type { RichMenuTrouble } from '@okaeri/contract/rich-menus/menu'
import { sql } from 'kysely'
import type { MerchantScope, TransactionScope } from '../../kernel/merchant-scope.ts'
import { notRefused, type RichMenuRow } from './queries.ts'

/** Something was changed that may change what the platform should show. */
export async function scheduleLook(scope: MerchantScope): Promise<void> {
  await sql`insert into rich_menu_looks (merchant_id, look_at, changes) values (${scope.merchantId}, ${scope.now}, 1)
    on conflict (merchant_id) do update set look_at = excluded.look_at, changes = rich_menu_looks.changes + 1`.execute(
    scope.db,
  )
}

/** Reaction to `line.disconnected`: that nothing can be kept any more is noticed at once. */
export async function checkDisconnectedMenus(scope: MerchantScope): Promise<void> {
  await sql`update rich_menu_looks set look_at = ${scope.now}, changes = changes + 1
    where merchant_id = ${scope.merchantId} and exists (
      select from rich_menu_uploads where merchant_id = ${scope.merchantId})`.execute(scope.db)
}

/**
 * Nothing that is recorded of the platform is believed any more, and all is made there again. What stands there under our names goes then, and
 * with it whom it was linked to. A worker that looks just now records nothing more ({@link keepUpload}). Returns whether there is a platform.
 */
export async function forgetRecorded(scope: MerchantScope): Promise<boolean> {
  const { merchantId } = scope
  // First, because a member's change locks the menu before the look; and all of them, so that no refusal by the former channel is stored later.
  await sql`update rich_menus set ${notRefused} where merchant_id = ${merchantId} and state = 'active'`.execute(
    scope.db,
  )
  const { rows } = await sql`
    update rich_menu_looks set look_at = ${scope.now}, changes = changes + 1, channel_changes = channel_changes + 1, shown_menu_id = null
    where merchant_id = ${merchantId} returning 1`.execute(scope.db)
  await sql`delete from rich_menu_uploads where merchant_id = ${merchantId}`.execute(scope.db)
  await sql`delete from rich_menu_links where merchant_id = ${merchantId}`.execute(scope.db)
  return rows.length > 0
}

/** Members of segments changed: within seconds it is compared who should have which menu, for many changes at once. */
const COMPARED_AFTER_MS = 10_000

/** Reaction to `segments.members_updated`. Counted in the same transaction, so that no comparison that ends before it passes it over. */
export async function compareSoon(
  scope: MerchantScope,
  { segmentIds }: { segmentIds: readonly string[] },
): Promise<void> {
  await sql`
    update rich_menu_looks set member_changes = member_changes + 1, compare_at = coalesce(compare_at, ${compareAt(scope)})
    where merchant_id = ${scope.merchantId} and exists (
      select from rich_menus m
      where m.merchant_id = ${scope.merchantId} and m.state = 'active' and m.segment_id = any(${[...segmentIds]}::uuid[]))`.execute(
    scope.db,
  )
}
const compareAt = ({ now }: MerchantScope): Date => new Date(now.getTime() + COMPARED_AFTER_MS)

/** What one turn does, and what it must know when it ends. */
export interface Look {
  /** Menus, aliases and the default are compared too. */
  isWhole: boolean
  isComparison: boolean
  changes: number
  memberChanges: number
  channelChanges: number
  failures: number
  linkSize: number
  hasLeftovers: boolean
  until: Date
}

/** Null: another worker is at it, or nothing is due. */
export async function claimLook(scope: MerchantScope, until: Date): Promise<Look | null> {
  const { now, merchantId } = scope
  const { rows } = await sql<Omit<Look, 'until'>>`
    update rich_menu_looks set held_until = ${until}
    where merchant_id = ${merchantId} and least(look_at, compare_at, link_at) <= ${now}
      and (held_until is null or held_until <= ${now})
    returning coalesce(look_at <= ${now}, false) as "isWhole", coalesce(compare_at <= ${now}, false) as "isComparison", changes,
      member_changes as "memberChanges", channel_changes as "channelChanges", failures, link_size as "linkSize", has_leftovers as "hasLeftovers"`.execute(
    scope.db,
  )
  return rows[0] ? { ...rows[0], until } : null
}

/** The result of a look that was completed. `lookAt`: when the next whole one is due, as far as this one knows. */
export interface LookResult {
  shown?: string | null
  lookAt?: Date | null
  hasMore: boolean
  linkSize: number
  hasLeftovers: boolean
}

/**
 * What came of it. When something was changed meanwhile, or another worker took over, it is looked again at once: what this look did may
 * not be what should be.
 */
export async function reportLook(scope: MerchantScope, look: Look, result: LookResult): Promise<void> {
  const { now } = scope
  const isMine = sql`held_until = ${look.until}`
  const whole = sql`case when changes = ${look.changes} and ${isMine} then ${result.lookAt ?? null}::timestamptz else ${now} end`
  await sql`
    update rich_menu_looks set
      look_at = ${look.isWhole ? whole : result.lookAt === undefined ? sql`look_at` : sql`${result.lookAt}::timestamptz`},
      compare_at = ${look.isWhole || look.isComparison ? sql`case when member_changes = ${look.memberChanges} then null else ${compareAt(scope)}::timestamptz end` : sql`compare_at`},
      link_at = ${result.hasMore ? now : null}::timestamptz, link_size = ${result.linkSize}, has_leftovers = ${result.hasLeftovers},
      shown_menu_id = ${result.shown === undefined ? sql`shown_menu_id` : sql`${result.shown}::uuid`},
      ${look.isWhole ? sql`trouble = null, failures = 0,` : sql``}
      held_until = case when ${isMine} then null else held_until end
    where merchant_id = ${scope.merchantId}`.execute(scope.db)
}

/** It failed; `lookAt`: when all of it is tried again. */
export async function reportTrouble(
  scope: MerchantScope,
  look: Look,
  { trouble, failures, lookAt }: { trouble: RichMenuTrouble; failures: number; lookAt: Date },
): Promise<void> {
  await sql`
    update rich_menu_looks set look_at = case when changes = ${look.changes} then ${lookAt}::timestamptz else ${scope.now}::timestamptz end, compare_at = null,
      link_at = null, trouble = ${trouble}, failures = ${failures},
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

/** Whether the channel that the look began at is still connected; it is until the transaction ends. */
async function isSameChannel(
  scope: TransactionScope,
  { channelChanges }: Pick<Look, 'channelChanges'>,
): Promise<boolean> {
  const { rows } = await sql`select from rich_menu_looks
    where merchant_id = ${scope.merchantId} and channel_changes = ${channelChanges} for share`.execute(scope.db)
  return rows.length > 0
}

/** For the channel the look began at. If it was replaced meanwhile, what was made there is unused, and is deleted if the merchant returns. */
export const keepUpload = (
  scope: MerchantScope,
  look: Pick<Look, 'channelChanges'>,
  { menuId, tab, lineMenuId }: { menuId: string; tab: number; lineMenuId: string },
): Promise<void> =>
  scope.transaction(async (scope) => {
    if (!(await isSameChannel(scope, look))) return
    await sql`insert into rich_menu_uploads (merchant_id, menu_id, tab, line_menu_id)
      values (${scope.merchantId}, ${menuId}, ${tab}, ${lineMenuId})
      on conflict (merchant_id, menu_id, tab) do update set line_menu_id = excluded.line_menu_id`.execute(scope.db)
  })

/** So long after the first refusal, and twice as long after each that follows; what is wrong with a menu seldom mends by itself. */
const FIRST_RETRY_MS = 60_000
const LAST_RETRY_MS = 86_400_000

/**
 * The platform refused this menu. Returns the platform's ids of what was made of it, which is used no more. Of one that was changed meanwhile
 * no refusal is noted: it is looked again.
 */
export const keepRefusal = (
  scope: MerchantScope,
  look: Pick<Look, 'channelChanges'>,
  { menu: { id, updated_at, refusals }, words }: { menu: Refused; words: string },
): Promise<string[]> =>
  scope.transaction(async (scope) => {
    await sql`select from rich_menus where merchant_id = ${scope.merchantId} and id = ${id} for update`.execute(
      scope.db,
    )
    if (!(await isSameChannel(scope, look))) return []
    const retryAt = new Date(
      scope.now.getTime() + Math.min(FIRST_RETRY_MS * 2 ** Math.min(refusals, 20), LAST_RETRY_MS),
    )
    await sql`update rich_menus set refusal = ${words}, refusals = least(refusals + 1, 20), retry_at = ${retryAt}
      where merchant_id = ${scope.merchantId} and id = ${id} and state = 'active' and updated_at = ${updated_at}`.execute(
      scope.db,
    )
    const { rows } = await sql<{ line_menu_id: string }>`delete from rich_menu_uploads
      where merchant_id = ${scope.merchantId} and menu_id = ${id} returning line_menu_id`.execute(scope.db)
    return rows.map(({ line_menu_id }) => line_menu_id)
  })
type Refused = Pick<RichMenuRow, 'id' | 'updated_at' | 'refusals'>

/** It was made whole at last. */
export async function forgetRefusal(scope: MerchantScope, { id, updated_at }: Refused): Promise<void> {
  await sql`update rich_menus set ${notRefused}
    where merchant_id = ${scope.merchantId} and id = ${id} and updated_at = ${updated_at}`.execute(scope.db)
}

/** Which menu this is at the platform; null where it is none now. */
export async function findMenuMadeAs(scope: MerchantScope, lineMenuId: string): Promise<Refused | null> {
  const { rows } = await sql<Refused>`
    select m.id, m.updated_at, m.refusals from rich_menu_uploads u
      join rich_menus m on m.merchant_id = ${scope.merchantId} and m.id = u.menu_id
    where u.merchant_id = ${scope.merchantId} and u.line_menu_id = ${lineMenuId}`.execute(scope.db)
  return rows[0] ?? null
}

/** Menus that were deleted on the platform by others, or by us without a record of it. */
export async function forgetMissing(scope: MerchantScope, there: readonly string[]): Promise<void> {
  await sql`delete from rich_menu_uploads
    where merchant_id = ${scope.merchantId} and line_menu_id <> all(${[...there]}::text[])`.execute(scope.db)
}

/** Of menus that are at the platform no more. */
export async function forgetUploads(scope: MerchantScope, lineMenuId: string): Promise<void> {
  await sql`delete from rich_menu_uploads where merchant_id = ${scope.merchantId} and line_menu_id = ${lineMenuId}`.execute(
    scope.db,
  )
}

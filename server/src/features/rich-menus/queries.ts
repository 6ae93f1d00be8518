import type {
  PictureSize,
  RichMenuDraft,
  RichMenuPeriod,
  RichMenuStatus,
  RichMenuTab,
} from '@okaeri/contract/rich-menus/menu'
import { sql } from 'kysely'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'

export interface RichMenuRow {
  id: string
  title: string
  status: RichMenuStatus
  starts_at: Date | null
  ends_at: Date | null
  is_open: boolean
  chat_bar_text: string
  tab_height: number
  tabs: RichMenuTab[]
  is_shown: boolean
  updated_at: Date
}

const status = (
  scope: MerchantScope,
) => sql<RichMenuStatus>`case m.state when 'draft' then 'draft' when 'inactive' then 'not_set'
  else case when m.ends_at <= ${scope.now} then 'ended' else 'broadcasting' end end`

const rows = (scope: MerchantScope) => sql`
  select m.id, m.title, ${status(scope)} as status, m.starts_at, m.ends_at, m.is_open, m.chat_bar_text, m.tab_height, m.tabs,
    m.updated_at, coalesce(l.shown_menu_id = m.id, false) as is_shown
  from rich_menus m left join rich_menu_looks l on l.merchant_id = ${scope.merchantId}
  where m.merchant_id = ${scope.merchantId}`

export async function selectMenus(
  scope: MerchantScope,
  query: { q?: string | undefined; status?: RichMenuStatus | undefined; limit: number; offset: number },
): Promise<{ rows: RichMenuRow[]; total: number }> {
  const pattern = query.q?.trim() ? `%${query.q.trim().replace(/[\\%_]/g, '\\$&')}%` : null
  const where = sql`(${pattern}::text is null or m.title ilike ${pattern})
    and (${query.status ?? null}::text is null or ${status(scope)} = ${query.status ?? null})`
  const page = await sql<RichMenuRow>`${rows(scope)} and ${where}
    order by m.starts_at desc nulls first, m.id desc limit ${query.limit} offset ${query.offset}`.execute(scope.db)
  const count = await sql<{ total: number }>`
    select count(*)::int as total from rich_menus m where m.merchant_id = ${scope.merchantId} and ${where}`.execute(
    scope.db,
  )
  return { rows: page.rows, total: count.rows[0]?.total ?? 0 }
}

export async function findMenu(
  scope: MerchantScope,
  id: string,
  { lock = false }: { lock?: boolean } = {},
): Promise<RichMenuRow | null> {
  const found = await sql<RichMenuRow>`${rows(scope)} and m.id = ${id} ${lock ? sql`for update of m` : sql``}`.execute(
    scope.db,
  )
  return found.rows[0] ?? null
}

/** The menu that friends are to see now: of those whose period it is, the one with the nearest start. */
export async function findMenuOfNow(scope: MerchantScope): Promise<RichMenuRow | null> {
  const found = await sql<RichMenuRow>`${rows(scope)} and m.state = 'active' and m.starts_at <= ${scope.now}
    and (m.ends_at is null or m.ends_at > ${scope.now}) order by m.starts_at desc, m.id desc limit 1`.execute(scope.db)
  return found.rows[0] ?? null
}

/** When a period begins or ends next. */
export async function findNextTurn(scope: MerchantScope): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select min(t.at) as at from rich_menus m, unnest(array[m.starts_at, m.ends_at]) as t (at)
    where m.merchant_id = ${scope.merchantId} and m.state = 'active' and t.at > ${scope.now}`.execute(scope.db)
  return rows[0]?.at ?? null
}

export async function countFriends(scope: MerchantScope): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from line_friends where merchant_id = ${scope.merchantId} and is_friend`.execute(
    scope.db,
  )
  return rows[0]?.count ?? 0
}

export async function insertMenu(scope: MerchantScope, id: string, menu: RichMenuDraft): Promise<void> {
  await sql`
    insert into rich_menus (merchant_id, id, title, starts_at, ends_at, is_open, chat_bar_text, tab_height, tabs, created_at, updated_at)
    values (${scope.merchantId}, ${id}, ${menu.title}, ${menu.starts_at}, ${menu.ends_at}, ${menu.is_open}, ${menu.chat_bar_text},
      ${menu.tab_height}, ${JSON.stringify(menu.tabs)}::jsonb, ${scope.now}, ${scope.now})`.execute(scope.db)
}

export async function updateMenu(scope: MerchantScope, id: string, menu: RichMenuDraft): Promise<void> {
  await sql`
    update rich_menus set title = ${menu.title}, starts_at = ${menu.starts_at}, ends_at = ${menu.ends_at}, is_open = ${menu.is_open},
      chat_bar_text = ${menu.chat_bar_text}, tab_height = ${menu.tab_height}, tabs = ${JSON.stringify(menu.tabs)}::jsonb,
      updated_at = ${scope.now}
    where merchant_id = ${scope.merchantId} and id = ${id}`.execute(scope.db)
}

export async function updatePeriod(scope: MerchantScope, id: string, period: RichMenuPeriod): Promise<void> {
  await sql`update rich_menus set starts_at = ${period.starts_at}, ends_at = ${period.ends_at}, updated_at = ${scope.now}
    where merchant_id = ${scope.merchantId} and id = ${id}`.execute(scope.db)
}

/** What is activated without a start begins now. */
export async function updateState(scope: MerchantScope, id: string, state: 'active' | 'inactive'): Promise<void> {
  await sql`update rich_menus set state = ${state}, updated_at = ${scope.now},
      starts_at = case when ${state} = 'active' then coalesce(starts_at, ${scope.now}) else starts_at end
    where merchant_id = ${scope.merchantId} and id = ${id}`.execute(scope.db)
}

export async function deleteMenuRow(scope: MerchantScope, id: string): Promise<void> {
  await sql`delete from rich_menus where merchant_id = ${scope.merchantId} and id = ${id}`.execute(scope.db)
}

export interface PictureRow extends PictureSize {
  id: string
  type: 'image/png' | 'image/jpeg'
  bytes: Buffer
}

export async function listPictures(scope: MerchantScope, ids: readonly string[]): Promise<PictureRow[]> {
  const { rows } = await sql<PictureRow>`select id, type, width, height, bytes from rich_menu_pictures
    where merchant_id = ${scope.merchantId} and id = any(${[...ids]}::uuid[])`.execute(scope.db)
  return rows
}

export async function listPictureSizes(
  scope: MerchantScope,
  ids: readonly string[],
): Promise<({ id: string } & PictureSize)[]> {
  const { rows } = await sql<{ id: string } & PictureSize>`select id, width, height from rich_menu_pictures
    where merchant_id = ${scope.merchantId} and id = any(${[...ids]}::uuid[])`.execute(scope.db)
  return rows
}

export async function insertPicture(scope: MerchantScope, picture: PictureRow): Promise<void> {
  await sql`insert into rich_menu_pictures (merchant_id, id, type, width, height, bytes, created_at)
    values (${scope.merchantId}, ${picture.id}, ${picture.type}, ${picture.width}, ${picture.height}, ${picture.bytes}, ${scope.now})`.execute(
    scope.db,
  )
}

/** What no menu uses, unless somebody may be about to save a menu with it. Answers how many are left. */
export async function deleteUnusedPictures(scope: MerchantScope, before: Date): Promise<number> {
  await sql`delete from rich_menu_pictures p where p.merchant_id = ${scope.merchantId} and p.created_at < ${before}
    and not exists (select from rich_menus m, jsonb_array_elements(m.tabs) as t
      where m.merchant_id = ${scope.merchantId} and t ->> 'picture_id' = p.id::text)`.execute(scope.db)
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from rich_menu_pictures
    where merchant_id = ${scope.merchantId}`.execute(scope.db)
  return rows[0]?.count ?? 0
}

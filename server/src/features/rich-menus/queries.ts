import type {
  PictureSize,
  RichMenuDraft,
  RichMenuPeriod,
  RichMenuSegment,
  RichMenuStatus,
  RichMenuTab,
} from '@okaeri/contract/rich-menus/menu'
import { sql } from 'kysely'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'

export interface RichMenuRow {
  id: string
  title: string
  segment_id: string | null
  status: RichMenuStatus
  starts_at: Date | null
  ends_at: Date | null
  is_open: boolean
  chat_bar_text: string
  tracking_enabled: boolean
  tab_height: number
  tabs: RichMenuTab[]
  segment: RichMenuSegment | null
  is_shown: boolean
  /** What the platform said when it refused the menu; null unless it did at the last try. */
  refusal: string | null
  refusals: number
  retry_at: Date | null
  /** How many people it is linked to on the platform; null where it is for all friends. */
  people: number | null
  updated_at: Date
}

const status = (
  scope: MerchantScope,
) => sql<RichMenuStatus>`case m.state when 'draft' then 'draft' when 'inactive' then 'not_set'
  else case when m.ends_at <= ${scope.now} then 'ended' else 'broadcasting' end end`

/** To be continued by more conditions on `m`. */
export const rows = (scope: MerchantScope) => sql`
  select m.id, m.title, ${status(scope)} as status, m.starts_at, m.ends_at, m.is_open, m.chat_bar_text, m.tracking_enabled, m.tab_height, m.tabs,
    m.updated_at, m.segment_id, m.refusal, m.refusals, m.retry_at,
    case when m.segment_id is not null then jsonb_build_object('id', m.segment_id, 'name', s.name) end as segment, p.people,
    coalesce(case when m.segment_id is null then l.shown_menu_id = m.id else p.people > 0 end, false) as is_shown
  from rich_menus m
    left join rich_menu_looks l on l.merchant_id = ${scope.merchantId}
    left join segments s on s.merchant_id = ${scope.merchantId} and s.id = m.segment_id and s.deleted_at is null
    left join lateral (
      select count(*)::int as people from rich_menu_uploads u
        join rich_menu_links k on k.merchant_id = ${scope.merchantId} and k.line_menu_id = u.line_menu_id
      where u.merchant_id = ${scope.merchantId} and u.menu_id = m.id and u.tab = 0 and not k.is_pending and not k.is_refused
    ) p on m.segment_id is not null
  where m.merchant_id = ${scope.merchantId}`

export interface MenusQuery {
  /** Those for all friends, or those for segments. */
  ofSegments: boolean
  segmentId?: string | undefined
  q?: string | undefined
  status?: RichMenuStatus | undefined
  limit: number
  offset: number
}

export async function selectMenus(
  scope: MerchantScope,
  query: MenusQuery,
): Promise<{ rows: RichMenuRow[]; total: number }> {
  const pattern = query.q?.trim() ? `%${query.q.trim().replace(/[\\%_]/g, '\\$&')}%` : null
  const kind = query.ofSegments ? sql`m.segment_id is not null` : sql`m.segment_id is null`
  const where = sql`${kind} and (${query.segmentId ?? null}::uuid is null or m.segment_id = ${query.segmentId ?? null})
    and (${pattern}::text is null or m.title ilike ${pattern})
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

export const isInPeriod = (scope: MerchantScope) => sql`m.state = 'active' and m.starts_at <= ${scope.now}
  and (m.ends_at is null or m.ends_at > ${scope.now})`

/** Those whose period it is, the one with the nearest start first; not those that the platform refused and that are tried again later. */
export async function listMenusOfNow(scope: MerchantScope): Promise<RichMenuRow[]> {
  const found =
    await sql<RichMenuRow>`${rows(scope)} and ${isInPeriod(scope)} and (m.retry_at is null or m.retry_at <= ${scope.now})
    order by m.starts_at desc, m.id desc`.execute(scope.db)
  return found.rows
}

/** Menus that a segment cannot be taken from, newest first. */
export async function listMenusUsing(
  scope: MerchantScope,
  segmentId: string,
): Promise<{ type: 'rich_menu'; id: string; name: string; status: string }[]> {
  const { rows } = await sql<{ type: 'rich_menu'; id: string; name: string; status: string }>`
    select 'rich_menu' as type, m.id, m.title as name, ${status(scope)} as status from rich_menus m
    where m.merchant_id = ${scope.merchantId} and m.segment_id = ${segmentId} and ${status(scope)} in ('draft', 'broadcasting')
    order by m.created_at desc, m.id desc`.execute(scope.db)
  return rows
}

/** Active ones that are not over: each takes room at the platform. */
export async function countActive(scope: MerchantScope): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from rich_menus m
    where m.merchant_id = ${scope.merchantId} and ${status(scope)} = 'broadcasting'`.execute(scope.db)
  return rows[0]?.count ?? 0
}

/** When a period begins or ends next, or a menu that was refused is tried again. */
export async function findNextTurn(scope: MerchantScope): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select min(t.at) as at from rich_menus m, unnest(array[m.starts_at, m.ends_at, m.retry_at]) as t (at)
    where m.merchant_id = ${scope.merchantId} and m.state = 'active' and t.at > ${scope.now}`.execute(scope.db)
  return rows[0]?.at ?? null
}

/** Friends, or those of them who are in the segment. */
export async function countFriends(scope: MerchantScope, segmentId: string | null): Promise<number> {
  const { merchantId } = scope
  const isMember = sql`exists (select from segment_members s
    where s.merchant_id = ${merchantId} and s.segment_id = ${segmentId} and s.customer_id = f.customer_id)`
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from line_friends f
    where f.merchant_id = ${merchantId} and f.is_friend ${segmentId ? sql`and ${isMember}` : sql``}`.execute(scope.db)
  return rows[0]?.count ?? 0
}

export async function insertMenu(scope: MerchantScope, id: string, menu: RichMenuDraft): Promise<void> {
  await sql`
    insert into rich_menus (merchant_id, id, title, segment_id, starts_at, ends_at, is_open, chat_bar_text, tracking_enabled, tab_height, tabs, created_at, updated_at)
    values (${scope.merchantId}, ${id}, ${menu.title}, ${menu.segment_id}, ${menu.starts_at}, ${menu.ends_at}, ${menu.is_open}, ${menu.chat_bar_text},
      ${menu.tracking_enabled}, ${menu.tab_height}, ${JSON.stringify(menu.tabs)}::jsonb, ${scope.now}, ${scope.now})`.execute(
    scope.db,
  )
}

export async function updateMenu(scope: MerchantScope, id: string, menu: RichMenuDraft): Promise<void> {
  await sql`
    update rich_menus set title = ${menu.title}, segment_id = ${menu.segment_id}, starts_at = ${menu.starts_at}, ends_at = ${menu.ends_at}, is_open = ${menu.is_open},
      chat_bar_text = ${menu.chat_bar_text}, tracking_enabled = ${menu.tracking_enabled}, tab_height = ${menu.tab_height}, tabs = ${JSON.stringify(menu.tabs)}::jsonb,
      updated_at = ${scope.now}
    where merchant_id = ${scope.merchantId} and id = ${id}`.execute(scope.db)
}

/** What was changed is tried again at once. */
export const notRefused = sql`refusal = null, refusals = 0, retry_at = null`

export async function updatePeriod(scope: MerchantScope, id: string, period: RichMenuPeriod): Promise<void> {
  await sql`update rich_menus set starts_at = ${period.starts_at}, ends_at = ${period.ends_at}, updated_at = ${scope.now}, ${notRefused}
    where merchant_id = ${scope.merchantId} and id = ${id}`.execute(scope.db)
}

/** What is activated without a start begins now. */
export async function updateState(scope: MerchantScope, id: string, state: 'active' | 'inactive'): Promise<void> {
  await sql`update rich_menus set state = ${state}, updated_at = ${scope.now}, ${notRefused},
      starts_at = case when ${state} = 'active' then coalesce(starts_at, ${scope.now}) else starts_at end
    where merchant_id = ${scope.merchantId} and id = ${id}`.execute(scope.db)
}

export async function deleteMenuRow(scope: MerchantScope, id: string): Promise<void> {
  await sql`delete from rich_menus where merchant_id = ${scope.merchantId} and id = ${id}`.execute(scope.db)
  await sql`delete from rich_menu_clicks where merchant_id = ${scope.merchantId} and menu_id = ${id}`.execute(scope.db)
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

/** Pictures no menu uses, except new ones that are about to be saved with a menu. Returns how many are left. */
export async function deleteUnusedPictures(scope: MerchantScope, before: Date): Promise<number> {
  await sql`delete from rich_menu_pictures p where p.merchant_id = ${scope.merchantId} and p.created_at < ${before}
    and not exists (select from rich_menus m, jsonb_array_elements(m.tabs) as t
      where m.merchant_id = ${scope.merchantId} and t ->> 'picture_id' = p.id::text)`.execute(scope.db)
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from rich_menu_pictures
    where merchant_id = ${scope.merchantId}`.execute(scope.db)
  return rows[0]?.count ?? 0
}

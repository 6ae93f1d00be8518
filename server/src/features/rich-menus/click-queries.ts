import type { RichMenuClicks } from '@okaeri/contract/rich-menus/menu'
import { sql } from 'kysely'
import type { Database } from '../../kernel/database/database.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import type { RichMenuRow } from './queries.ts'

export interface TrackedArea {
  merchantId: string
  menuId: string
  tab: number
  area: number
}

/** Where the links of a menu lead; they stay when the menu goes. */
export async function insertTargets(
  scope: MerchantScope,
  { id, tabs }: Pick<RichMenuRow, 'id' | 'tabs'>,
): Promise<void> {
  const links = tabs.flatMap(({ areas }, tab) =>
    areas.flatMap(({ action }, area) => (action.type === 'link' ? [{ tab, area, url: action.url }] : [])),
  )
  await sql`
    insert into rich_menu_targets (merchant_id, menu_id, tab, area, url)
    select ${scope.merchantId}, ${id}, * from unnest(${links.map(({ tab }) => tab)}::smallint[],
      ${links.map(({ area }) => area)}::smallint[], ${links.map(({ url }) => url)}::text[])
    on conflict (merchant_id, menu_id, tab, area) do nothing`.execute(scope.db)
}

/** The merchant comes from a signed address. */
export async function findTarget(db: Database, { merchantId, menuId, tab, area }: TrackedArea): Promise<string | null> {
  const { rows } = await sql<{ url: string }>`select url from rich_menu_targets
    where merchant_id = ${merchantId} and menu_id = ${menuId} and tab = ${tab} and area = ${area}`.execute(db)
  return rows[0]?.url ?? null
}

export interface ClickCount extends TrackedArea {
  human: number
  machine: number
}

/**
 * Those of one flush, of all merchants, one row for an area: each counts for its merchant's day, as long as there is the menu. In the order of
 * the key, so that two statements wait for each other and never deadlock.
 */
export async function addClicks(db: Database, now: Date, clicks: readonly ClickCount[]): Promise<void> {
  await sql`
    insert into rich_menu_clicks (merchant_id, menu_id, tab, area, day, human, machine)
    select c.merchant_id, c.menu_id, c.tab, c.area, (${now}::timestamptz at time zone m.timezone)::date, c.human, c.machine
    from unnest(${clicks.map(({ merchantId }) => merchantId)}::uuid[], ${clicks.map(({ menuId }) => menuId)}::uuid[],
      ${clicks.map(({ tab }) => tab)}::smallint[], ${clicks.map(({ area }) => area)}::smallint[],
      ${clicks.map(({ human }) => human)}::bigint[], ${clicks.map(({ machine }) => machine)}::bigint[])
      as c (merchant_id, menu_id, tab, area, human, machine)
      join merchants m on m.id = c.merchant_id
      join rich_menus r on r.merchant_id = c.merchant_id and r.id = c.menu_id
    order by c.merchant_id, c.menu_id, c.tab, c.area
    on conflict (merchant_id, menu_id, tab, area, day) do update
      set human = rich_menu_clicks.human + excluded.human, machine = rich_menu_clicks.machine + excluded.machine`.execute(
    db,
  )
}

/** Over all time by area, and those of people by day since `from` in the merchant's zone. */
export async function selectClicks(scope: MerchantScope, menuId: string, days: number): Promise<RichMenuClicks> {
  const of = sql`k.merchant_id = ${scope.merchantId} and k.menu_id = ${menuId}`
  const areas = await sql<RichMenuClicks['areas'][number]>`
    select k.tab, k.area, sum(k.human)::float8 as human, sum(k.machine)::float8 as machine
    from rich_menu_clicks k where ${of} group by k.tab, k.area order by k.tab, k.area`.execute(scope.db)
  const perDay = await sql<RichMenuClicks['days'][number]>`
    with today as (select (${scope.now}::timestamptz at time zone timezone)::date as day from merchants where id = ${scope.merchantId})
    select d.day::date::text as day, coalesce(sum(k.human), 0)::float8 as human
    from today t cross join generate_series(t.day - ${days - 1}::int, t.day, interval '1 day') as d (day)
      left join rich_menu_clicks k on ${of} and k.day = d.day::date
    group by d.day order by d.day`.execute(scope.db)
  return { areas: areas.rows, days: perDay.rows }
}

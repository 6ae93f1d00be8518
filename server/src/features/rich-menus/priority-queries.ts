import type { SeenRichMenus } from '@okaeri/contract/rich-menus/menu'
import { sql } from 'kysely'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { whyNotReachableByLine } from '../line-friends/index.ts'
import { isInPeriod, type RichMenuRow, rows } from './queries.ts'

type Overlapping = Pick<RichMenuRow, 'id' | 'title' | 'ends_at' | 'segment_id' | 'segment'> & { starts_at: Date }

/** As many as a page tells of. */
const MOST = 20

/** Whether the menu and the segment, where they are named, are the merchant's; a segment may be deleted. */
export async function areKnown(
  scope: MerchantScope,
  { id, segmentId }: { id: string | null; segmentId: string | null },
): Promise<boolean> {
  const { rows } = await sql`select
    where (${id}::uuid is null or exists (select from rich_menus where merchant_id = ${scope.merchantId} and id = ${id}::uuid))
      and (${segmentId}::uuid is null or exists (select from segments where merchant_id = ${scope.merchantId} and id = ${segmentId}::uuid))`.execute(
    scope.db,
  )
  return rows.length > 0
}

/**
 * Active menus that last while this one does, those of its own audience (all friends, or its segment) first. For other segments only the
 * number of menus: finding who is in both segments takes too long while a member types.
 */
export async function selectOverlapping(
  scope: MerchantScope,
  { segmentId, ...period }: { id: string | null; segmentId: string | null; start: Date; end: Date | null },
): Promise<{ rows: Overlapping[]; total: number; ofOtherSegments: number }> {
  const { merchantId } = scope
  const isOfSegment = sql`${segmentId}::uuid is not null`
  const isOfOther = sql`(${isOfSegment} and m.segment_id <> ${segmentId}::uuid)`
  const overlaps = sql`m.merchant_id = ${merchantId} and m.state = 'active' and m.id is distinct from ${period.id}::uuid
    and m.starts_at < coalesce(${period.end}::timestamptz, 'infinity')
    and coalesce(m.ends_at, 'infinity') > greatest(${period.start}::timestamptz, ${scope.now})
    and coalesce(${period.end}::timestamptz, 'infinity') > greatest(${period.start}::timestamptz, ${scope.now})`
  const { rows } = await sql<Overlapping>`
    select m.id, m.title, m.starts_at, m.ends_at, m.segment_id,
      case when m.segment_id is not null then jsonb_build_object('id', m.segment_id, 'name', s.name) end as segment
    from rich_menus m
      left join segments s on s.merchant_id = ${merchantId} and s.id = m.segment_id and s.deleted_at is null
    where ${overlaps} and not coalesce(${isOfOther}, false)
    order by m.segment_id is distinct from ${segmentId}::uuid, m.starts_at desc, m.id desc limit ${MOST}`.execute(
    scope.db,
  )
  const counts = await sql<{ total: number; others: number }>`
    select count(*) filter (where not coalesce(${isOfOther}, false))::int as total,
      count(*) filter (where ${isOfOther})::int as others
    from rich_menus m where ${overlaps}`.execute(scope.db)
  return { rows, total: counts.rows[0]?.total ?? 0, ofOtherSegments: counts.rows[0]?.others ?? 0 }
}

export async function selectMenusBetween(
  scope: MerchantScope,
  { from, to }: { from: Date; to: Date },
): Promise<RichMenuRow[]> {
  const found = await sql<RichMenuRow>`${rows(scope)} and m.state = 'active' and m.starts_at < ${to}
    and (m.ends_at is null or m.ends_at > ${from}) order by m.starts_at desc, m.id desc limit 1000`.execute(scope.db)
  return found.rows
}

type WhyNot = SeenRichMenus['why_not']

export interface Reach {
  why_not: WhyNot
  /** The menu last linked on the platform; null for none. */
  applied_menu_id: string | null
  is_pending: boolean
  is_refused: boolean
}

/** Null: there is no such customer. Who has no menu of their own sees the one for all friends. */
export async function findReach(scope: MerchantScope, customerId: string): Promise<Reach | null> {
  const { merchantId } = scope
  const { rows } = await sql<Reach>`
    select ${whyNotReachableByLine(merchantId)} as why_not,
      case when k.line_user_id is null then l.shown_menu_id else u.menu_id end as applied_menu_id,
      coalesce(k.is_pending, false) as is_pending, coalesce(k.is_refused, false) as is_refused
    from customers c
      left join line_friends f on f.merchant_id = ${merchantId} and f.customer_id = c.id and f.is_friend
      left join rich_menu_links k on k.merchant_id = ${merchantId} and k.line_user_id = f.line_user_id
      left join rich_menu_uploads u on u.merchant_id = ${merchantId} and u.line_menu_id = k.line_menu_id
      left join rich_menu_looks l on l.merchant_id = ${merchantId}
    where c.merchant_id = ${merchantId} and c.id = ${customerId}`.execute(scope.db)
  return rows[0] ?? null
}

/** What is for them now, in the order in which it hides what follows; what the platform refuses hides nothing. */
export async function selectMenusFor(scope: MerchantScope, customerId: string): Promise<RichMenuRow[]> {
  const found = await sql<RichMenuRow>`${rows(scope)} and ${isInPeriod(scope)} and (m.segment_id is null or exists (
      select from segment_members x
      where x.merchant_id = ${scope.merchantId} and x.segment_id = m.segment_id and x.customer_id = ${customerId}))
    order by m.refusal is not null, m.segment_id is null, m.starts_at desc, m.id desc`.execute(scope.db)
  return found.rows
}

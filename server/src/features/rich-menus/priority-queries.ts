import type { SeenRichMenus } from '@okaeri/contract/rich-menus/menu'
import { sql } from 'kysely'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { whyNotReachableByLine } from '../line-friends/index.ts'
import { ofNow, type RichMenuRow, rows } from './queries.ts'

export interface Period {
  id?: string | undefined
  segment_id?: string | undefined
  starts_at?: string | undefined
  ends_at?: string | undefined
}
type Overlapping = Pick<RichMenuRow, 'id' | 'title' | 'ends_at'> & { starts_at: Date }

/** As many as a page tells of. */
const MOST = 20

export async function selectOverlapping(scope: MerchantScope, period: Period): Promise<Overlapping[]> {
  const { rows } = await sql<Overlapping>`
    select m.id, m.title, m.starts_at, m.ends_at from rich_menus m
    where m.merchant_id = ${scope.merchantId} and m.state = 'active' and m.id is distinct from ${period.id ?? null}::uuid
      and m.segment_id is not distinct from ${period.segment_id ?? null}::uuid
      and m.starts_at < coalesce(${period.ends_at ?? null}::timestamptz, 'infinity')
      and coalesce(m.ends_at, 'infinity') > greatest(coalesce(${period.starts_at ?? null}::timestamptz, ${scope.now}), ${scope.now})
    order by m.starts_at desc, m.id desc limit ${MOST}`.execute(scope.db)
  return rows
}

export async function selectMenusBetween(
  scope: MerchantScope,
  { from, to }: { from: string; to: string },
): Promise<RichMenuRow[]> {
  const found = await sql<RichMenuRow>`${rows(scope)} and m.state = 'active' and m.starts_at < ${to}
    and (m.ends_at is null or m.ends_at > ${from}) order by m.starts_at desc, m.id desc limit 1000`.execute(scope.db)
  return found.rows
}

/** Null: there is no such customer. */
export async function findReach(
  scope: MerchantScope,
  customerId: string,
): Promise<Pick<SeenRichMenus, 'why_not' | 'is_pending'> | null> {
  const { merchantId } = scope
  const { rows } = await sql<Pick<SeenRichMenus, 'why_not' | 'is_pending'>>`
    select ${whyNotReachableByLine(merchantId)} as why_not,
      exists (select from line_friends f
        join rich_menu_links l on l.merchant_id = ${merchantId} and l.line_user_id = f.line_user_id and l.is_pending
        where f.merchant_id = ${merchantId} and f.customer_id = c.id) as is_pending
    from customers c where c.merchant_id = ${merchantId} and c.id = ${customerId}`.execute(scope.db)
  return rows[0] ?? null
}

/** What is for them now, in the order in which it hides what follows. */
export async function selectMenusFor(scope: MerchantScope, customerId: string): Promise<RichMenuRow[]> {
  const found = await sql<RichMenuRow>`${rows(scope)} and ${ofNow(scope)} and (m.segment_id is null or exists (
      select from segment_members x
      where x.merchant_id = ${scope.merchantId} and x.segment_id = m.segment_id and x.customer_id = ${customerId}))
    order by m.segment_id is null, m.starts_at desc, m.id desc`.execute(scope.db)
  return found.rows
}

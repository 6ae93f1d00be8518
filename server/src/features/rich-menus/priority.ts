import type { RichMenuOverlap, SeenRichMenus } from '@okaeri/contract/rich-menus/menu'
import { notFound } from '../../kernel/errors.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { presentSummary } from './menu.ts'
import { findReach, type Period, selectMenusFor, selectOverlapping } from './priority-queries.ts'

export async function listOverlaps(scope: MerchantScope, period: Period): Promise<RichMenuOverlap[]> {
  const startMs = period.starts_at ? Date.parse(period.starts_at) : scope.now.getTime()
  return (await selectOverlapping(scope, period)).map(({ id, title, starts_at, ends_at }) => ({
    id,
    title,
    starts_at: starts_at.toISOString(),
    ends_at: ends_at?.toISOString() ?? null,
    comes_first: starts_at.getTime() > startMs || (starts_at.getTime() === startMs && id > (period.id ?? '')),
  }))
}

export async function getSeenBy(scope: MerchantScope, customerId: string): Promise<SeenRichMenus> {
  const reach = await findReach(scope, customerId)
  if (!reach) throw notFound('there is no such customer')
  const menus = reach.why_not === null ? await selectMenusFor(scope, customerId) : []
  return { ...reach, menus: menus.map(presentSummary) }
}

import type { RichMenuOverlap, SeenRichMenus } from '@okaeri/contract/rich-menus/menu'
import { notFound } from '../../kernel/errors.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { getMerchant } from '../merchants/index.ts'
import { addDays, localDay, startOfDay } from '../segments/index.ts'
import { findTrouble } from './look-queries.ts'
import { presentSegment, presentSummary } from './menu.ts'
import { areKnown, findReach, selectMenusBetween, selectMenusFor, selectOverlapping } from './priority-queries.ts'

/** A menu that is not saved yet, or may get another period; without a start it begins now. */
interface Planned {
  id?: string | undefined
  segment_id?: string | undefined
  starts_at?: string | undefined
  ends_at?: string | undefined
}

export async function listOverlaps(scope: MerchantScope, planned: Planned) {
  const id = planned.id ?? null
  const segmentId = planned.segment_id ?? null
  if (!(await areKnown(scope, { id, segmentId }))) throw notFound()
  const start = planned.starts_at ? new Date(planned.starts_at) : scope.now
  const end = planned.ends_at ? new Date(planned.ends_at) : null
  const found = await selectOverlapping(scope, { id, segmentId, start, end })
  return {
    overlaps: found.rows.map(
      (other): RichMenuOverlap => ({
        id: other.id,
        title: other.title,
        segment: presentSegment(other),
        from: instantAhead(scope, new Date(Math.max(start.getTime(), other.starts_at.getTime()))),
        to: earlier(end, other.ends_at)?.toISOString() ?? null,
        comes_first: other.segment_id === segmentId ? isNearer(other, { id, start }) : other.segment_id !== null,
      }),
    ),
    total: found.total,
    of_other_segments: found.ofOtherSegments,
  }
}

const instantAhead = ({ now }: MerchantScope, at: Date): string | null => (at > now ? at.toISOString() : null)
const earlier = (one: Date | null, other: Date | null): Date | null =>
  one && other ? (one < other ? one : other) : (one ?? other)

/** If two start at once, the newer one; a menu without an id is the newest. */
function isNearer(other: { id: string; starts_at: Date }, { id, start }: { id: string | null; start: Date }): boolean {
  if (other.starts_at.getTime() !== start.getTime()) return other.starts_at > start
  return id !== null && other.id > id
}

export async function getCalendar(scope: MerchantScope, month?: string) {
  const { timezone } = await getMerchant(scope)
  const today = localDay(scope.now, timezone)
  const shown = month ?? monthOf(today)
  const first = `${shown}-01`
  const menus = await selectMenusBetween(scope, {
    from: startOfDay(first, timezone),
    to: startOfDay(`${monthOf(addDays(first, 31))}-01`, timezone),
  })
  return { month: shown, today, menus: menus.map(presentSummary) }
}
const monthOf = (day: string): string => day.slice(0, '2026-07'.length)

export async function getSeenBy(scope: MerchantScope, customerId: string): Promise<SeenRichMenus> {
  const reach = await findReach(scope, customerId)
  if (!reach) throw notFound('there is no such customer')
  const menus = await selectMenusFor(scope, customerId)
  const first = menus.find(({ refusal }) => refusal === null)
  const isApplied = !reach.is_pending && reach.applied_menu_id === (first?.id ?? null)
  return {
    why_not: reach.why_not,
    menus: menus.map(presentSummary),
    state: reach.is_refused ? 'refused' : isApplied ? 'applied' : 'pending',
    trouble: await findTrouble(scope),
  }
}

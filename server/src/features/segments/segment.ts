import type { Page } from '@okaeri/contract/paging'
import type { Condition } from '@okaeri/contract/segments/condition'
import type { Segment } from '@okaeri/contract/segments/segment'
import { conflict, notFound } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { percentage, refuseUnusable } from './choosing.ts'
import { countLater } from './counting.ts'
import {
  findSegment,
  insertSegment,
  markDeleted,
  type SegmentListQuery,
  type SegmentRow,
  selectSegments,
  updateSegment,
} from './queries.ts'

export interface CampaignUsing {
  type: 'campaign'
  id: string
  name: string
  status: string
}
declare module '../../kernel/context.ts' {
  interface Ports {
    /** Campaigns that have not ended and send to the segment. */
    campaignsUsingSegment: (scope: MerchantScope, segmentId: string) => Promise<CampaignUsing[]>
  }
}

export function presentSegment(row: SegmentRow): Segment {
  const { customer_count, customers_total } = row
  return {
    id: row.id,
    name: row.name,
    origin: row.origin,
    conditions: row.conditions,
    status: row.status,
    customer_count,
    customer_percentage:
      customer_count === null || customers_total === null ? null : percentage(customer_count, customers_total),
    counted_at: row.counted_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}

/** 404 when there is none, or it was deleted. */
export async function getSegment(scope: MerchantScope, id: string): Promise<SegmentRow> {
  const row = await findSegment(scope, id)
  if (!row) throw notFound()
  return row
}

export async function listSegments(scope: MerchantScope, query: SegmentListQuery): Promise<Page<Segment>> {
  const { rows, total } = await selectSegments(scope, query)
  return { data: rows.map(presentSegment), limit: query.limit, offset: query.offset, total }
}

export function createSegment(
  scope: MerchantScope,
  { name, conditions }: { name: string; conditions: Condition },
): Promise<Segment> {
  return scope.transaction(async (scope) => {
    await refuseUnusable(scope, conditions)
    const id = newId()
    await insertSegment(scope, { id, name, conditions })
    await countLater(scope, id)
    return presentSegment(await getSegment(scope, id))
  })
}

export function changeSegment(
  scope: MerchantScope,
  id: string,
  change: { name?: string | undefined; conditions?: Condition | undefined },
): Promise<Segment> {
  return scope.transaction(async (scope) => {
    const segment = await getOwnForUpdate(scope, id)
    if (change.conditions) await refuseUnusable(scope, change.conditions)
    await updateSegment(scope, id, {
      name: change.name ?? segment.name,
      conditions: change.conditions ?? segment.conditions,
    })
    if (change.conditions) await countLater(scope, id)
    return presentSegment(await getSegment(scope, id))
  })
}

export function deleteSegment(scope: MerchantScope, id: string): Promise<void> {
  return scope.transaction(async (scope) => {
    if (!(await findSegment(scope, id, { lock: true }))) throw notFound()
    const users = await scope.context.ports.campaignsUsingSegment(scope, id)
    if (users.length > 0)
      throw conflict('segment_in_use', `the segment is used by ${users.map((user) => user.name).join(', ')}`)
    await markDeleted(scope, id)
  })
}

/** After this a count is taken for dead, whatever became of its worker. */
const STALE_COUNT_MS = 5 * 60_000

/** Counts again. A count under way is waited for, unless it takes too long or the caller insists. */
export function recountSegment(scope: MerchantScope, id: string, { force }: { force: boolean }): Promise<Segment> {
  return scope.transaction(async (scope) => {
    const segment = await getOwnForUpdate(scope, id)
    const requestedAt = segment.count_requested_at?.getTime() ?? 0
    const underWay = segment.status === 'calculating' && scope.now.getTime() - requestedAt < STALE_COUNT_MS
    if (force || !underWay) await countLater(scope, id)
    return presentSegment(await getSegment(scope, id))
  })
}

async function getOwnForUpdate(scope: MerchantScope, id: string): Promise<SegmentRow> {
  const segment = await findSegment(scope, id, { lock: true })
  if (!segment) throw notFound()
  // Spec §5: remote segments from the store platform cannot be edited.
  if (segment.origin === 'remote') throw conflict('segment_remote_readonly')
  return segment
}

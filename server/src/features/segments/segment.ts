import type { Page } from '@okaeri/contract/paging'
import { amountsIn, type Condition } from '@okaeri/contract/segments/condition'
import {
  defaultSegmentName,
  type RemoteSegment,
  type Segment,
  type SegmentUse,
  MAX_CONDITION_BYTES,
  MAX_OWN_SEGMENTS,
} from '@okaeri/contract/segments/segment'
import { DateTime } from 'luxon'
import { conflict, notFound } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { keepCurrency } from '../merchants/index.ts'
import { percentage } from './conditions/condition-preview.ts'
import { refuseUnusable } from './conditions/condition-context.ts'
import { lockSegments } from './membership/incremental-membership-queries.ts'
import { calculateLater } from './membership/members.ts'
import { calculateReferencingSegments, listReferencingSegments } from './segment-references.ts'
import {
  findSegment,
  insertSegment,
  measureOwn,
  lockReferences,
  markDeleted,
  readMerchantCalendar,
  type SegmentListQuery,
  type SegmentRow,
  selectSegments,
  updateSegment,
} from './queries.ts'
import { fetchLater, forgetDeletedSegment } from './remote/remote.ts'
import { selectUnknown } from './remote/remote-queries.ts'
import { scoreWhereNeeded } from './scores.ts'

declare module '../../kernel/context.ts' {
  interface Ports {
    /**
     * Campaigns that have not ended and send to the segment; scenarios that it starts, or whose conditions ask about it; mails and
     * components that name it.
     */
    programsUsingSegment: (scope: MerchantScope, segmentId: string) => Promise<SegmentUse[]>
  }
}

/** Customers known only to the platform; this many are shown, by their number there. */
const SHOWN_UNKNOWN = 20

async function presentSegments(scope: MerchantScope, rows: readonly SegmentRow[]): Promise<Segment[]> {
  const drifted = rows.filter(({ status, store_unknown_count }) => status === 'ready' && store_unknown_count > 0)
  const unknown = await selectUnknown(
    scope,
    drifted.map(({ id }) => id),
    SHOWN_UNKNOWN,
  )
  return rows.map((row) => presentSegment(row, unknown.get(row.id) ?? []))
}

async function presentOne(scope: MerchantScope, id: string): Promise<Segment> {
  const [segment] = await presentSegments(scope, [await getSegment(scope, id)])
  if (!segment) throw notFound()
  return segment
}

export async function getSegmentView(
  scope: MerchantScope,
  id: string,
): Promise<{ customer_segment: Segment; used_by: SegmentUse[] }> {
  return { customer_segment: await presentOne(scope, id), used_by: await listUses(scope, id) }
}

function presentSegment(row: SegmentRow, unknownIds: string[]): Segment {
  const { customer_count, customers_total } = row
  return {
    id: row.id,
    name: row.name,
    origin: row.origin,
    conditions: row.conditions,
    status: row.status,
    failure: row.status === 'failed' ? (row.failure ?? 'internal') : null,
    customer_count,
    customer_percentage:
      customer_count === null || customers_total === null ? null : percentage(customer_count, customers_total),
    counted_at: row.counted_at?.toISOString() ?? null,
    members_at: row.members_at?.toISOString() ?? null,
    up_to_date: row.status === 'ready' && !row.behind,
    remote: presentRemote(row, unknownIds),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}

function presentRemote(row: SegmentRow, unknownIds: string[]): RemoteSegment | null {
  if (row.store_segment_id === null) return null
  return {
    store_segment_id: String(row.store_segment_id),
    query: row.store_query ?? '',
    store_count: row.store_count,
    store_counted_at: row.store_counted_at?.toISOString() ?? null,
    unknown_count: row.store_unknown_count,
    unknown_ids: unknownIds,
    progress:
      row.status === 'calculating' && row.store_fetched_count !== null
        ? { fetched: row.store_fetched_count, total: row.store_fetched_count > 0 ? row.store_count : null }
        : null,
  }
}

/** Throws 404 if there is none or it was deleted. */
export async function getSegment(scope: MerchantScope, id: string): Promise<SegmentRow> {
  const row = await findSegment(scope, id)
  if (!row) throw notFound()
  return row
}

export async function listSegments(scope: MerchantScope, query: SegmentListQuery): Promise<Page<Segment>> {
  const { rows, total } = await selectSegments(scope, query)
  return { data: await presentSegments(scope, rows), limit: query.limit, offset: query.offset, total }
}

export function createSegment(
  scope: MerchantScope,
  { name, conditions }: { name?: string | undefined; conditions: Condition },
): Promise<Segment> {
  return scope.transaction(async (scope) => {
    await keepCurrency(scope, amountsIn(conditions))
    // So that nothing it refers to is deleted meanwhile.
    await lockReferences(scope)
    await refuseUnusable(scope, conditions)
    await scoreWhereNeeded(scope, conditions)
    const id = newId()
    await refuseTooMany(scope, { id, conditions }, 'one more')
    await insertSegment(scope, { id, name: name ?? (await nameByTheTime(scope)), conditions })
    await calculateLater(scope, id)
    return presentOne(scope, id)
  })
}

/** Each changed customer is evaluated for all segments, whose conditions are then in memory. Throws `too_many_segments`. */
async function refuseTooMany(
  scope: MerchantScope,
  one: { id: string; conditions: Condition },
  how: 'one more' | 'changed',
): Promise<void> {
  const { others, conditionBytes } = await measureOwn(scope, one)
  if ((how === 'one more' && others >= MAX_OWN_SEGMENTS) || conditionBytes > MAX_CONDITION_BYTES)
    throw conflict('too_many_segments', `at most ${MAX_OWN_SEGMENTS}, and not so large ones`)
}

/** Spec §6: `new segment_{dateTime}`. */
async function nameByTheTime(scope: MerchantScope): Promise<string> {
  const { timezone } = await readMerchantCalendar(scope)
  return defaultSegmentName(DateTime.fromJSDate(scope.now, { zone: timezone }).toFormat('yyyy-MM-dd HH:mm'))
}

export function changeSegment(
  scope: MerchantScope,
  id: string,
  change: { name?: string | undefined; conditions?: Condition | undefined },
): Promise<Segment> {
  return scope.transaction(async (scope) => {
    if (change.conditions) {
      await keepCurrency(scope, amountsIn(change.conditions))
      await lockReferences(scope)
      await lockSegments(scope)
    }
    const segment = await getForUpdate(scope, id)
    // Spec §5: remote segments from the store platform cannot be edited.
    if (segment.origin === 'remote') throw conflict('segment_remote_readonly')
    if (change.conditions) {
      await refuseUnusable(scope, change.conditions, { segmentId: id })
      await refuseTooMany(scope, { id, conditions: change.conditions }, 'changed')
      await scoreWhereNeeded(scope, change.conditions)
    }
    await updateSegment(scope, id, { name: change.name ?? segment.name, conditions: change.conditions })
    if (change.conditions) {
      await calculateLater(scope, id)
      await calculateReferencingSegments(scope, id)
    }
    return presentOne(scope, id)
  })
}

/** What would break if the segment were deleted. */
async function listUses(scope: MerchantScope, id: string): Promise<SegmentUse[]> {
  const segments = await listReferencingSegments(scope, id)
  return [
    ...(await scope.context.ports.programsUsingSegment(scope, id)),
    ...segments.map(({ id, name, status }) => ({ type: 'segment' as const, id, name, status })),
  ]
}

export function deleteSegment(scope: MerchantScope, id: string): Promise<void> {
  return scope.transaction(async (scope) => {
    await lockReferences(scope)
    const segment = await getForUpdate(scope, id)
    // The platform still has it, and the next listing would bring it back.
    if (segment.origin === 'remote') throw conflict('segment_remote_readonly')
    const uses = await listUses(scope, id)
    if (uses.length > 0)
      throw conflict('segment_in_use', `the segment is used by ${uses.map(({ name }) => name).join(', ')}`)
    await markDeleted(scope, id)
    await scope.context.jobs.later(scope, forgetDeletedSegment, { segmentId: id })
  })
}

/** After this a calculation counts as dead. */
const STALE_CALCULATION_MS = 5 * 60_000

/** Finds the members again: of an own segment by its conditions, of a remote one from the store platform. A calculation in progress is not
 * repeated, unless it takes too long or the caller insists. */
export function refetchSegment(scope: MerchantScope, id: string, { force }: { force: boolean }): Promise<Segment> {
  return scope.transaction(async (scope) => {
    const segment = await getForUpdate(scope, id)
    const requestedAt = segment.count_requested_at?.getTime() ?? 0
    const underWay = segment.status === 'calculating' && scope.now.getTime() - requestedAt < STALE_CALCULATION_MS
    if (force || !underWay) await (segment.origin === 'own' ? calculateLater(scope, id) : fetchLater(scope, id))
    return presentOne(scope, id)
  })
}

async function getForUpdate(scope: MerchantScope, id: string): Promise<SegmentRow> {
  const segment = await findSegment(scope, id, { lock: true })
  if (!segment) throw notFound()
  return segment
}

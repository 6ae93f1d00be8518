import type { SegmentMember } from '@okaeri/contract/segments/segment'
import type { RawBuilder } from 'kysely'
import { isOutage } from '../../../kernel/database/database-trouble.ts'
import { AppError } from '../../../kernel/errors.ts'
import type { Facts } from '../../../kernel/facts.ts'
import { heavyWork } from '../../../kernel/work/heavy-work.ts'
import { job } from '../../../kernel/work/jobs.ts'
import type { MerchantScope, TransactionScope } from '../../../kernel/merchant-scope.ts'
import { isBrokenOff, limitStatements } from '../../../kernel/database/statement-limits.ts'
import { listCustomerViews, searchWords, selectFound } from '../../customers/index.ts'
import { conditionsSql } from '../conditions/condition-preview.ts'
import { refuseUnusable } from '../conditions/condition-context.ts'
import { configurePlanner } from '../conditions/condition-queries.ts'
import { localDay } from './local-day.ts'
import {
  countMatchingMembers,
  type Difference,
  isMemberOf,
  listWaitingIds,
  lockMembers,
  type MemberSearch,
  markAllCalculating,
  markCalculated,
  markCalculating,
  markFailed,
  replaceMembers,
  selectMembers,
} from './members-queries.ts'
import { findSegment, readMerchantCalendar, type SegmentRow } from '../queries.ts'
import { waitForScenarios } from '../scenarios-asked.ts'

declare module '../../../kernel/facts.ts' {
  interface Facts {
    /**
     * Customers who entered a segment because something happened. Not reported: the first calculation, the first one after the conditions
     * changed, and changes that were only learned (`customers.changed`).
     */
    'segment.entered': { segmentId: string; customerIds: readonly string[] }
    /** Members are up to date with the changes of customers, whether or not any entered or left. */
    'segments.members_updated': { segmentIds: readonly string[] }
    'segment.left': { segmentId: string; customerIds: readonly string[] }
  }
}

/** Spec §4: the result arrives later. */
export const calculateSegment = job(
  'segments.calculate',
  ({ segmentId }: { segmentId: string }) => segmentId,
  calculate,
)

/** All waiting segments, one at a time: together they would only slow each other down. */
export const calculateAllSegments = job<Record<never, never>>(
  'segments.calculate_all',
  () => 'all',
  async (scope) => {
    for (const segmentId of await listWaitingIds(scope)) await calculate(scope, { segmentId })
  },
)

export async function calculateLater(scope: MerchantScope, segmentId: string): Promise<void> {
  await markCalculating(scope, segmentId)
  await scope.context.jobs.later(scope, calculateSegment, { segmentId })
}

/** Reaction to `customers.changed_widely`. */
export async function calculateAllLater(
  scope: MerchantScope,
  { learned = false }: Facts['customers.changed_widely'],
): Promise<void> {
  if ((await markAllCalculating(scope, { learned })) > 0)
    await scope.context.jobs.later(scope, calculateAllSegments, {})
}

/** With fewer customers a calculation is so short that it does not queue. */
const FEW_CUSTOMERS = 20_000
/** Ten times the time the largest segment should take. */
const CALCULATION_LIMIT_MS = 60_000

/** Requested again while it ran: the later request has its own job. */
class Superseded extends Error {}

async function calculate(scope: MerchantScope, { segmentId }: { segmentId: string }): Promise<void> {
  const segment = await findSegment(scope, segmentId)
  if (!segment || segment.origin === 'remote' || segment.answered_number >= segment.count_number) return
  try {
    await waitForScenarios(scope)
    const run = () => scope.transaction((scope) => calculateNow(scope, segmentId))
    await (segment.customers_total !== null && segment.customers_total < FEW_CUSTOMERS ? run() : heavyWork(run))
  } catch (error) {
    if (error instanceof Superseded) return
    if (isOutage(error)) throw error
    const failure = failureOf(error)
    await markFailed(scope, segment, failure)
    // A retry would fail the same way; the page shows the reason.
    if (failure === 'internal') throw error
    scope.context.log.warn({ merchantId: scope.merchantId, segmentId, failure, error }, 'a segment was not calculated')
  }
}

function failureOf(error: unknown): NonNullable<SegmentRow['failure']> {
  if (error instanceof AppError && error.reason === 'condition_invalid') return 'conditions_unusable'
  return isBrokenOff(error) ? 'too_slow' : 'internal'
}

async function calculateNow(scope: TransactionScope, segmentId: string): Promise<void> {
  await lockMembers(scope, [segmentId])
  await limitStatements(scope, CALCULATION_LIMIT_MS)
  const segment = await findSegment(scope, segmentId)
  if (!segment || segment.answered_number >= segment.count_number) return
  if (segment.conditions) await refuseUnusable(scope, segment.conditions)
  const where = await conditionsSql(scope, segment.conditions)
  const { timezone } = await readMerchantCalendar(scope)
  const isReported = segment.members_at !== null && !segment.is_quiet
  const { total, customersTotal, ...difference } = await replaceMembers(scope, segmentId, where, {
    withIds: isReported,
  })
  const day = localDay(scope.now, timezone)
  if (!(await markCalculated(scope, segment, { total, customersTotal }, { day, timezone }))) throw new Superseded()
  await scope.context.publish(scope, 'segments.members_updated', { segmentIds: [segmentId] })
  if (isReported) await announce(scope, segmentId, difference)
}

/** As many customers as one fact names. */
const NAMED_AT_ONCE = 10_000

export async function announce(scope: MerchantScope, segmentId: string, { entered, left }: Difference): Promise<void> {
  for (let at = 0; at < entered.length; at += NAMED_AT_ONCE)
    await scope.context.publish(scope, 'segment.entered', {
      segmentId,
      customerIds: entered.slice(at, at + NAMED_AT_ONCE),
    })
  for (let at = 0; at < left.length; at += NAMED_AT_ONCE)
    await scope.context.publish(scope, 'segment.left', { segmentId, customerIds: left.slice(at, at + NAMED_AT_ONCE) })
}

/** Up to this many matching customers are looked up among the members; with more, walking through the members soon finds some. */
const FEW = 5000
/** Matches of frequent words are counted among this many members. */
const COUNTED_AMONG = 5000

async function readSearch(scope: MerchantScope, q: string | undefined): Promise<MemberSearch> {
  const words = searchWords(q ?? '')
  if (words.length === 0) return null
  const ids = await selectFound(scope, { words, tag: undefined }, FEW + 1)
  return ids.length <= FEW ? { ids } : { words }
}

export interface MembersPage {
  data: SegmentMember[]
  limit: number
  offset: number
  total: number
  total_exact: boolean
  next: string | null
  prev: string | null
}

/** The members as of the last update. */
export async function listMembers(
  scope: MerchantScope,
  segment: SegmentRow,
  query: { q?: string | undefined; cursor?: string | undefined; limit: number; offset: number },
): Promise<MembersPage> {
  const { limit, cursor } = query
  const search = await readSearch(scope, query.q)
  const behind = cursor?.slice(2) ?? ''
  const backwards = cursor !== undefined && !cursor.startsWith('n_')
  const from =
    cursor === undefined
      ? {}
      : cursor === 'end'
        ? { before: 'end' }
        : backwards
          ? { before: behind }
          : { after: behind }
  const offset = cursor === undefined ? query.offset : 0
  // One more than is shown, to know whether there is another page.
  const found = await selectMembers(scope, segment.id, { search, ...from, limit: limit + 1, offset })
  const more = found.length > limit
  const page = backwards ? found.slice(-limit) : found.slice(0, limit)
  const [first, last] = [page[0]?.customer_id, page.at(-1)?.customer_id]
  const ids = page.map((row) => row.customer_id)
  const customers = new Map((await listCustomerViews(scope, ids)).map((customer) => [customer.id, customer]))
  const all = segment.customer_count ?? 0
  const counted = search && (await countMatchingMembers(scope, segment.id, { search, among: COUNTED_AMONG }))
  const hasNext = backwards ? cursor !== 'end' : more
  const hasPrev = backwards ? more : cursor !== undefined || offset > 0
  return {
    // A customer deleted a moment ago is still a member until the next update.
    data: page.flatMap(({ customer_id, entered_at }) => {
      const customer = customers.get(customer_id)
      return customer ? [{ ...customer, entered_at: entered_at.toISOString() }] : []
    }),
    limit,
    offset,
    total: counted ?? all,
    total_exact: search === null || 'ids' in search || all <= COUNTED_AMONG,
    next: hasNext && last ? `n_${last}` : null,
    prev: hasPrev && first ? `p_${first}` : null,
  }
}

/**
 * The customers of a segment as SQL over `c`: its conditions evaluated now, or the members the store platform listed last. Use it in the
 * same transaction ({@link conditionsSql}).
 */
export async function membersSql(scope: TransactionScope, segment: SegmentRow): Promise<RawBuilder<boolean>> {
  if (segment.origin === 'own') return conditionsSql(scope, segment.conditions)
  await configurePlanner(scope, { everyone: true })
  return isMemberOf(scope, segment.id)
}

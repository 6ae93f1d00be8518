import { isOutage } from '../../../kernel/database/database-trouble.ts'
import { retriedTransaction } from '../../../kernel/database/deadlocks.ts'
import { recurring } from '../../../kernel/work/due-merchants.ts'
import { AppError } from '../../../kernel/errors.ts'
import type { Facts } from '../../../kernel/facts.ts'
import type { MerchantScope, TransactionScope } from '../../../kernel/merchant-scope.ts'
import type { Recurring } from '../../../kernel/work/schedule.ts'
import { countComparisons, readContext } from '../conditions/condition-context.ts'
import { configurePlanner } from '../conditions/condition-queries.ts'
import { compileCondition, matchesNone } from '../conditions/condition-sql.ts'
import { changedCustomers, segmentsOfAnotherDay } from '../due-queries.ts'
import { dependsOnCatalog, findDateBoundaries } from './date-boundaries-sql.ts'
import {
  deleteChanges,
  type MembershipQuery,
  type SegmentToUpdate,
  updateMembers,
  updateRemoteMembers,
  listAllIds,
  listChanges,
  listSegmentsToUpdate,
  listOfAnotherDay,
  lockSegments,
  markDay,
  markMembersUpdated,
  recountCustomers,
  rollBackToSavepoint,
  setSavepoint,
  tryLockMembership,
  upsertChanged,
  upsertChangedWhere,
} from './incremental-membership-queries.ts'
import { localDay } from './local-day.ts'
import { announce, calculateLater } from './members.ts'
import { type Difference, lockMembers } from './members-queries.ts'
import { readMerchantCalendar } from '../queries.ts'

/** Changed customers looked at in one transaction. */
const CUSTOMERS_AT_ONCE = 10_000
/** Segments evaluated in one statement. */
const SEGMENTS_AT_ONCE = 25
/**
 * Each comparison about orders, mails etc. lists the customers, some of them more than once. So with more comparisons a statement gets fewer
 * customers, or it would grow to gigabytes.
 */
const CUSTOMERS_IN_A_STATEMENT = 500_000
const FEWEST_AT_ONCE = 100
/** How many customers fit one statement with this many comparisons. */
const customersAtOnce = (comparisons: number): number =>
  Math.max(FEWEST_AT_ONCE, Math.floor(CUSTOMERS_IN_A_STATEMENT / Math.max(1, comparisons)))
/** The number of all customers, for percentages, is counted again at most this often, unless there are few. */
const TOTAL = { maxAgeMs: 60_000, few: 20_000 }

/** Reaction to `customers.changed`. */
export const markCustomersDirty = (
  scope: MerchantScope,
  { customerIds, learned = false }: Facts['customers.changed'],
): Promise<void> => upsertChanged(scope, customerIds, { learned })

/**
 * Updates every segment with the changes of some customers, without reading others. Changes, members and counts are one transaction: if the
 * process dies, the next one does all of it. Returns whether there was anything to do.
 */
export function applyCustomerChanges(scope: MerchantScope): Promise<boolean> {
  return retriedTransaction(scope, async (scope) => {
    if (!(await tryLockMembership(scope))) return false
    const changes = await listChanges(scope, CUSTOMERS_AT_ONCE)
    if (changes.length === 0) return false
    // Also of segments in their first calculation: that one reads what was committed before it began, and this reads what came after.
    await lockMembers(scope, await listAllIds(scope))
    const ids = changes.map(({ customer_id }) => customer_id)
    const { differences, broken } = await updateAll(scope, await listSegmentsToUpdate(scope), ids)
    const updated = differences.map(({ entered, left, segment: { id, origin } }) => ({
      id,
      difference: entered.length - left.length,
      known: origin === 'remote' ? entered.length : 0,
    }))
    await markMembersUpdated(scope, updated, updated.length > 0 ? await recountCustomers(scope, TOTAL) : null)
    await scope.context.publish(scope, 'segments.members_updated', { segmentIds: updated.map(({ id }) => id) })
    // Calculating one as a whole also stores what is wrong with it.
    for (const segmentId of broken) await calculateLater(scope, segmentId)
    await deleteChanges(scope, changes)
    const learned = new Set(changes.flatMap((change) => (change.learned ? change.customer_id : [])))
    const reported = (all: string[]): string[] => (learned.size === 0 ? all : all.filter((id) => !learned.has(id)))
    for (const { segment, entered, left } of differences)
      await announce(scope, segment.id, { entered: reported(entered), left: reported(left) })
    return true
  })
}

interface UpdatedSegments {
  differences: (Difference & { segment: SegmentToUpdate })[]
  /** Those that cannot be updated incrementally. */
  broken: string[]
}

/** Own segments are evaluated many at a time, so that their customers are read once. */
async function updateAll(
  scope: TransactionScope,
  segments: readonly SegmentToUpdate[],
  ids: readonly string[],
): Promise<UpdatedSegments> {
  const updated: UpdatedSegments = { differences: [], broken: [] }
  const add = (segment: SegmentToUpdate, difference: Difference | undefined): void => {
    if (difference) updated.differences.push({ ...difference, segment })
    else updated.broken.push(segment.id)
  }
  for (const segment of segments.filter(({ origin }) => origin === 'remote')) {
    // A running fetch will replace all members.
    if (segment.store_fetched_count !== null) continue
    add(segment, await updateRemoteMembers(scope, segment.id, ids))
  }
  const own = segments.filter(({ origin }) => origin === 'own')
  for (let at = 0; at < own.length; at += SEGMENTS_AT_ONCE) {
    const some = own.slice(at, at + SEGMENTS_AT_ONCE)
    const together = await tryToUpdate(scope, some, ids)
    // One that cannot be updated delays no other.
    for (const segment of some) add(segment, (together ?? (await tryToUpdate(scope, [segment], ids)))?.get(segment.id))
  }
  return updated
}

/** Null: at least one of them is invalid or takes too long. */
async function tryToUpdate(
  scope: TransactionScope,
  segments: readonly SegmentToUpdate[],
  ids: readonly string[],
): Promise<Map<string, Difference> | null> {
  await setSavepoint(scope)
  try {
    return await updateTogether(scope, segments, ids)
  } catch (error) {
    if (isOutage(error)) throw error
    await rollBackToSavepoint(scope)
    const segmentIds = segments.map(({ id }) => id)
    scope.context.log.warn({ merchantId: scope.merchantId, segmentIds, error }, 'segments were not updated')
    return null
  }
}

async function updateTogether(
  scope: TransactionScope,
  segments: readonly SegmentToUpdate[],
  ids: readonly string[],
): Promise<Map<string, Difference>> {
  await configurePlanner(scope, { everyone: false })
  const compiled: { id: string; whereOf: (only: readonly string[]) => MembershipQuery['where'] }[] = []
  let comparisons = 0
  for (const { id, conditions } of segments) {
    const context = conditions && (await readContext(scope, conditions))
    if (context) comparisons += countComparisons(conditions, context.segments)
    compiled.push({
      id,
      whereOf: (only) => (context ? compileCondition(conditions, { ...context, only }) : matchesNone),
    })
  }
  const size = customersAtOnce(comparisons)
  const differences = new Map<string, Difference>(segments.map(({ id }) => [id, { entered: [], left: [] }]))
  for (let at = 0; at < ids.length; at += size) {
    const only = ids.slice(at, at + size)
    const queries = compiled.map(({ id, whereOf }) => ({ id, where: whereOf(only) }))
    for (const [id, { entered, left }] of await updateMembers(scope, queries, only)) {
      differences.get(id)?.entered.push(...entered)
      differences.get(id)?.left.push(...left)
    }
  }
  return differences
}

/**
 * "Within the last 30 days" matches other customers each day without any change of data, so customers whose answer differs from the day
 * before are marked dirty. After a change of zone, when the clock was set back, and if the conditions depend on the catalog, everyone is
 * evaluated.
 */
async function advanceDay(scope: MerchantScope): Promise<boolean> {
  const { timezone } = await readMerchantCalendar(scope)
  const today = { day: localDay(scope.now, timezone), timezone }
  return scope.transaction(async (scope) => {
    await lockSegments(scope)
    const segments = await listOfAnotherDay(scope, today)
    for (const segment of segments) {
      const comparable =
        segment.members_day !== null &&
        segment.members_day < today.day &&
        segment.members_zone === timezone &&
        !dependsOnCatalog(segment.conditions)
      if (!comparable || !(await markDateBoundariesDirty(scope, segment, timezone)))
        await calculateLater(scope, segment.id)
    }
    await markDay(
      scope,
      segments.map(({ id }) => id),
      today,
    )
    return segments.length > 0
  })
}

/** False: its conditions are invalid; calculating it stores why. */
async function markDateBoundariesDirty(
  scope: TransactionScope,
  segment: SegmentToUpdate,
  timezone: string,
): Promise<boolean> {
  try {
    const where = await findDateBoundaries(scope, segment, timezone)
    if (where) await upsertChangedWhere(scope, where)
    return true
  } catch (error) {
    if (error instanceof AppError && error.reason === 'condition_invalid') return false
    throw error
  }
}

export const segmentWork: readonly Recurring[] = [
  // Merchants take turns by the batch: a merchant with a million changes delays others by one batch at most.
  recurring({ name: 'keep segments current', everyMs: 1000, due: changedCustomers, turn: applyCustomerChanges }),
  recurring({ name: 'advance the day of segments', everyMs: 60_000, due: segmentsOfAnotherDay, turn: advanceDay }),
]

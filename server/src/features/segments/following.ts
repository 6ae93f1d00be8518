import type { Context } from '../../kernel/context.ts'
import { listMerchantsWithDue } from '../../kernel/due-merchants.ts'
import { AppError } from '../../kernel/errors.ts'
import { type MerchantScope, merchantScope, type TransactionScope } from '../../kernel/merchant-scope.ts'
import type { Recurring } from '../../kernel/schedule.ts'
import { whoIsChosen } from './choosing.ts'
import { asksAboutGoods, whereTheDayMatters } from './edges-sql.ts'
import {
  deleteChanges,
  type FollowedBy,
  type FollowedRow,
  followMembers,
  followRemoteMembers,
  listAllIds,
  listChanges,
  listFollowed,
  listOfAnotherDay,
  lockSegments,
  markDay,
  markFollowed,
  recountCustomers,
  rollBackToSavepoint,
  setSavepoint,
  tryFollowing,
  upsertChanged,
  upsertChangedWhere,
} from './following-queries.ts'
import { localDay } from './local-day.ts'
import { announce, calculateLater } from './members.ts'
import { type Difference, lockMembers } from './members-queries.ts'
import { readMerchantCalendar } from './queries.ts'

/** Changed customers looked at in one transaction. */
const CUSTOMERS_AT_ONCE = 10_000
/** Segments asked in one statement. */
const SEGMENTS_AT_ONCE = 25
/** The number of all customers, which percentages are of, is counted again at most so often, unless they are few. */
const TOTAL = { maxAgeMs: 60_000, few: 20_000 }

/** Reaction to `customers.changed`. */
export const noteChangedCustomers = (
  scope: MerchantScope,
  { customerIds }: { customerIds: readonly string[] },
): Promise<void> => upsertChanged(scope, customerIds)

/**
 * Brings every segment up to date with the changes of some customers, looking at nobody else. Changes, members and counts are one
 * transaction: a process that dies leaves all of it to the next. Answers whether there was anything to do.
 */
export function followChanges(scope: MerchantScope): Promise<boolean> {
  return scope.transaction(async (scope) => {
    if (!(await tryFollowing(scope))) return false
    const changes = await listChanges(scope, CUSTOMERS_AT_ONCE)
    if (changes.length === 0) return false
    // Also of segments being calculated for the first time: that reads what was committed before it began, and this what came after.
    await lockMembers(scope, await listAllIds(scope))
    const ids = changes.map(({ customer_id }) => customer_id)
    const { differences, broken } = await followAll(scope, await listFollowed(scope), ids)
    const followed = differences.map(({ entered, left, segment: { id, origin } }) => ({
      id,
      difference: entered.length - left.length,
      known: origin === 'remote' ? entered.length : 0,
    }))
    await markFollowed(scope, followed, followed.length > 0 ? await recountCustomers(scope, TOTAL) : null)
    // Calculating one as a whole also tells what is wrong with it.
    for (const segmentId of broken) await calculateLater(scope, segmentId)
    await deleteChanges(scope, changes)
    for (const { segment, ...difference } of differences) await announce(scope, segment.id, difference)
    return true
  })
}

interface Followed {
  differences: (Difference & { segment: FollowedRow })[]
  /** Those that cannot be followed. */
  broken: string[]
}

/** Own segments many at a time: their customers are then read once. */
async function followAll(
  scope: TransactionScope,
  segments: readonly FollowedRow[],
  ids: readonly string[],
): Promise<Followed> {
  const followed: Followed = { differences: [], broken: [] }
  const add = (segment: FollowedRow, difference: Difference | undefined): void => {
    if (difference) followed.differences.push({ ...difference, segment })
    else followed.broken.push(segment.id)
  }
  for (const segment of segments.filter(({ origin }) => origin === 'remote')) {
    // What is being fetched is taken over as a whole.
    if (segment.store_fetched_count !== null) continue
    add(segment, await followRemoteMembers(scope, segment.id, ids))
  }
  const own = segments.filter(({ origin }) => origin === 'own')
  for (let at = 0; at < own.length; at += SEGMENTS_AT_ONCE) {
    const some = own.slice(at, at + SEGMENTS_AT_ONCE)
    const together = await tryToFollow(scope, some, ids)
    // One that cannot be followed holds up no other.
    for (const segment of some) add(segment, (together ?? (await tryToFollow(scope, [segment], ids)))?.get(segment.id))
  }
  return followed
}

/** Null: at least one of them cannot be read, or asked in time. */
async function tryToFollow(
  scope: TransactionScope,
  segments: readonly FollowedRow[],
  ids: readonly string[],
): Promise<Map<string, Difference> | null> {
  await setSavepoint(scope)
  try {
    const asked: FollowedBy[] = []
    for (const { id, conditions } of segments)
      asked.push({ id, where: await whoIsChosen(scope, conditions, { only: ids }) })
    return await followMembers(scope, asked, ids)
  } catch (error) {
    await rollBackToSavepoint(scope)
    const segmentIds = segments.map(({ id }) => id)
    scope.context.log.warn({ merchantId: scope.merchantId, segmentIds, error }, 'segments were not followed')
    return null
  }
}

/**
 * "Within the last 30 days" means others when a day is over, without anything having happened to them: those whose answer is another
 * than the day before are looked at as if they had changed. After a change of zone, when the clock was set back, and where the
 * catalogue has a say, everyone is.
 */
async function turnDay(scope: MerchantScope): Promise<boolean> {
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
        !asksAboutGoods(segment.conditions)
      if (!comparable || !(await noteWhomTheDayMatters(scope, segment, timezone)))
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

/** False: its conditions cannot be read; calculating it tells why. */
async function noteWhomTheDayMatters(
  scope: TransactionScope,
  segment: FollowedRow,
  timezone: string,
): Promise<boolean> {
  try {
    const where = await whereTheDayMatters(scope, segment, timezone)
    if (where) await upsertChangedWhere(scope, where)
    return true
  } catch (error) {
    if (error instanceof AppError && error.reason === 'condition_invalid') return false
    throw error
  }
}

async function eachDue(
  context: Context,
  kind: 'changed_customers' | 'segment_days',
  work: (scope: MerchantScope) => Promise<boolean>,
): Promise<boolean> {
  let worked = false
  for (const merchantId of await listMerchantsWithDue(context, kind))
    worked = (await work(merchantScope(context, merchantId))) || worked
  return worked
}

export const segmentWork: readonly Recurring[] = [
  // Merchants take turns by the batch: one with a million changes holds up nobody for longer than one of its batches.
  {
    name: 'keep segments current',
    everyMs: 1000,
    run: (context) => eachDue(context, 'changed_customers', followChanges),
  },
  { name: 'turn the day of segments', everyMs: 60_000, run: (context) => eachDue(context, 'segment_days', turnDay) },
]

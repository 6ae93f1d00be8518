import type { RestockStatus } from '@okaeri/contract/restocks/routes'
import { recurring } from '../../kernel/work/due-merchants.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import type { Recurring } from '../../kernel/work/schedule.ts'
import {
  addToCounts,
  type CountChange,
  recountAll,
  insertChanges,
  lookUpDates,
  readOneMoment,
  takeChanges,
  tryCounting,
} from './count-queries.ts'
import { restocksToCount, restocksToRecount } from './due-queries.ts'

const nothing = { active: 0, sent: 0, deleted: 0, unknown: 0 } satisfies Record<RestockStatus, number>

export interface CountedRequest {
  storeProductId: number
  status: RestockStatus
  createdAt: Date
}

export const countAdded = (scope: MerchantScope, added: readonly CountedRequest[]): Promise<void> =>
  insertChanges(
    scope,
    summedUp(
      added.map(({ storeProductId, status, createdAt }) => ({
        ...nothing,
        storeProductId,
        [status]: 1,
        firstAt: createdAt,
        latestAt: createdAt,
      })),
    ).sums,
  )

/** They were of that status, and are of another now. */
export const countMoved = (
  scope: MerchantScope,
  moved: readonly (CountedRequest & { was: RestockStatus })[],
): Promise<void> =>
  insertChanges(
    scope,
    summedUp(
      moved
        .filter(({ was, status }) => was !== status)
        .map(({ storeProductId, was, status, createdAt }) => ({
          ...nothing,
          storeProductId,
          [was]: -1,
          [status]: 1,
          firstAt: createdAt,
          latestAt: createdAt,
        })),
    ).sums,
  )

/** They waited until now, and are deleted. */
export const countEnded = (scope: MerchantScope, ended: readonly CountedRequest[]): Promise<void> =>
  countMoved(
    scope,
    ended.map((one) => ({ ...one, was: 'active', status: 'deleted' })),
  )

/** Active ones whose rows were deleted, because another of the same person is for the same. */
export const countDoubled = (scope: MerchantScope, storeProductIds: readonly number[]): Promise<void> =>
  insertChanges(
    scope,
    storeProductIds.map((storeProductId) => ({
      ...nothing,
      storeProductId,
      active: -1,
      firstAt: null,
      latestAt: null,
    })),
  )

const AT_ONCE = 5000

export const restockCounting: readonly Recurring[] = [
  // Lists add what is not summed up yet, so this may take its time.
  recurring({
    name: 'count restock registrations',
    everyMs: 5000,
    due: restocksToCount,
    turn: (scope) =>
      scope.transaction(async (scope) => {
        const changes = (await tryCounting(scope)) ? await takeChanges(scope, AT_ONCE) : []
        if (changes.length === 0) return false
        const { sums, moved } = summedUp(changes)
        await addToCounts(scope, sums)
        await lookUpDates(scope, moved)
        return true
      }),
  }),
  recurring({
    name: 'count restock registrations anew',
    everyMs: 60_000,
    due: restocksToRecount,
    turn: (scope) =>
      scope.transaction(async (scope) => {
        await readOneMoment(scope)
        if (!(await tryCounting(scope))) return false
        await recountAll(scope)
        return true
      }),
  }),
]

/** One change for each product, in the order of products; and the products that had a row deleted. */
function summedUp(changes: readonly CountChange[]): { sums: CountChange[]; moved: number[] } {
  const sums = new Map<number, CountChange>()
  const moved = new Set<number>()
  for (const change of changes) {
    if (change.firstAt === null) moved.add(change.storeProductId)
    const sum = sums.get(change.storeProductId)
    if (sum) {
      for (const status of Object.keys(nothing) as RestockStatus[]) sum[status] += change[status]
      if (!sum.firstAt || (change.firstAt && change.firstAt < sum.firstAt)) sum.firstAt = change.firstAt ?? sum.firstAt
      if (!sum.latestAt || (change.latestAt && change.latestAt > sum.latestAt))
        sum.latestAt = change.latestAt ?? sum.latestAt
    } else sums.set(change.storeProductId, { ...change })
  }
  return {
    sums: [...sums.values()].sort((one, other) => one.storeProductId - other.storeProductId),
    moved: [...moved].sort((one, other) => one - other),
  }
}

import type { Copy } from '../../kernel/database/copying-client.ts'
import { recurring } from '../../kernel/work/due-merchants.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { askForUnknownStock } from '../catalog/index.ts'
import {
  addToCounts,
  type CountChange,
  copyChanges,
  insertChanges,
  lookUpDates,
  takeChanges,
  tryCounting,
} from './count-queries.ts'
import { favoritesToCount } from './due-queries.ts'
import type { MergedFavorite } from './queries.ts'

const secondsOf = (at: Date): number => Math.floor(at.getTime() / 1000)
const nothing = { active: 0, removed: 0, setSeconds: 0, keptSeconds: 0 }

/** These products were set just now, each by one person. */
export function copyAdded(scope: MerchantScope, storeProductIds: readonly number[]): Copy {
  const at = { ...nothing, active: 1, setSeconds: secondsOf(scope.now), firstAt: scope.now, latestAt: scope.now }
  return copyChanges(scope, summedUp(storeProductIds.map((storeProductId) => ({ ...at, storeProductId }))).sums)
}

/** Just now, each by one person. */
export const countRemoved = (
  scope: MerchantScope,
  removed: readonly { storeProductId: number; setAt: Date }[],
): Promise<void> =>
  insertChanges(
    scope,
    summedUp(
      removed.map(({ storeProductId, setAt }) => ({
        storeProductId,
        active: -1,
        removed: 1,
        setSeconds: -secondsOf(setAt),
        keptSeconds: secondsOf(scope.now) - secondsOf(setAt),
        firstAt: setAt,
        latestAt: setAt,
      })),
    ).sums,
  )

/** Two rows for the same product were merged: the one with the earlier date was kept. */
export const countDoubled = (scope: MerchantScope, doubled: readonly MergedFavorite[]): Promise<void> =>
  insertChanges(
    scope,
    doubled.map(({ store_product_id, created_at, kept_at }) => ({
      ...nothing,
      storeProductId: store_product_id,
      active: -1,
      setSeconds: -Math.max(secondsOf(created_at), secondsOf(kept_at)),
      firstAt: null,
      latestAt: null,
    })),
  )

const AT_ONCE = 5000

/**
 * Sums up what happened to favorites. Lists add what is not summed up yet, so it may take its time. This also reads from the store what
 * sells online of products that are new among the favorites: the page with them must not wait, and a return needs a known earlier stock.
 */
export const countFavorites = recurring({
  name: 'count favorites',
  everyMs: 5000,
  due: favoritesToCount,
  turn: (scope) =>
    scope.transaction(async (scope) => {
      const changes = (await tryCounting(scope)) ? await takeChanges(scope, AT_ONCE) : []
      if (changes.length === 0) return false
      const { sums, moved } = summedUp(changes)
      await addToCounts(scope, sums)
      await lookUpDates(scope, moved)
      await askForUnknownStock(
        scope,
        sums.flatMap(({ storeProductId, active }) => (active > 0 ? storeProductId : [])),
      )
      return true
    }),
})

/** One change for each product, in the order of products; and the products that had a row deleted. */
function summedUp(changes: readonly CountChange[]): { sums: CountChange[]; moved: number[] } {
  const sums = new Map<number, CountChange>()
  const moved = new Set<number>()
  for (const change of changes) {
    if (change.firstAt === null) moved.add(change.storeProductId)
    const sum = sums.get(change.storeProductId)
    if (sum) {
      sum.active += change.active
      sum.removed += change.removed
      sum.setSeconds += change.setSeconds
      sum.keptSeconds += change.keptSeconds
      sum.firstAt = earlier(sum.firstAt, change.firstAt)
      sum.latestAt = later(sum.latestAt, change.latestAt)
    } else sums.set(change.storeProductId, { ...change })
  }
  return {
    sums: [...sums.values()].sort((one, other) => one.storeProductId - other.storeProductId),
    moved: [...moved].sort((one, other) => one - other),
  }
}
const earlier = (one: Date | null, other: Date | null): Date | null =>
  one && other ? (one < other ? one : other) : (one ?? other)
const later = (one: Date | null, other: Date | null): Date | null =>
  one && other ? (one > other ? one : other) : (one ?? other)

import type { DatasetId } from '@okaeri/contract/datasets/dataset'
import type { Context } from '../../kernel/context.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { countRows } from './queries.ts'

export interface Counted {
  count: number
  at: Date
}

/**
 * A smaller dataset is counted at each look. For a larger one the last count is shown, with its time: once it is a minute old it is counted
 * again behind the answer, and after ten minutes it is not shown.
 */
const KEPT = { few: 20_000, freshMs: 60_000, maxAgeMs: 600_000 }

interface Counts {
  last: Map<string, Counted>
  underWay: Map<string, Promise<Counted>>
}
/** Of this process: after a start the first look counts. */
const countsOf = new WeakMap<Context, Counts>()

/**
 * How many there are of a dataset, and since when that is known: three million orders are not counted by each page that looks every few
 * seconds. What has been fetched as a whole since the last count is counted before it is answered.
 */
export async function countDataset(scope: MerchantScope, id: DatasetId, fetchedAt: Date | null): Promise<Counted> {
  const counts = countsOf.get(scope.context) ?? { last: new Map(), underWay: new Map() }
  countsOf.set(scope.context, counts)
  const last = counts.last.get(`${scope.merchantId} ${id}`)
  const ageMs = scope.now.getTime() - (last?.at.getTime() ?? 0)
  // The clock may have been set back.
  const isUsable = last && ageMs >= 0 && ageMs <= KEPT.maxAgeMs && (fetchedAt === null || fetchedAt <= last.at)
  if (!isUsable) return countOnce(scope, id, counts)
  if (ageMs > KEPT.freshMs)
    void countOnce(scope, id, counts).catch((error: unknown) =>
      scope.context.log.warn({ merchantId: scope.merchantId, dataset: id, error }, 'a dataset was not counted again'),
    )
  return last
}

/** Requests during a count wait for the same answer. */
function countOnce(scope: MerchantScope, id: DatasetId, { last, underWay }: Counts): Promise<Counted> {
  const key = `${scope.merchantId} ${id}`
  const begun = underWay.get(key)
  if (begun) return begun
  const counting = countRows(scope, id)
    .then((count) => {
      const counted = { count, at: scope.now }
      if (count > KEPT.few) last.set(key, counted)
      else last.delete(key)
      return counted
    })
    .finally(() => underWay.delete(key))
  underWay.set(key, counting)
  return counting
}

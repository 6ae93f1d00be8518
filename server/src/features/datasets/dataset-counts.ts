import type { DatasetId } from '@okaeri/contract/datasets/dataset'
import type { Context } from '../../kernel/context.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { countRows } from './queries.ts'

export interface DatasetCount {
  count: number
  at: Date
}

/**
 * A smaller dataset is counted at each request. For a larger one the last count is answered, with its time: after a minute it is counted again
 * in the background, and after ten minutes it is no longer used.
 */
const KEPT = { few: 20_000, freshMs: 60_000, maxAgeMs: 600_000 }

interface Counts {
  last: Map<string, DatasetCount>
  underWay: Map<string, Promise<DatasetCount>>
}
/** In the memory of this process: after a start the first request counts. */
const countsOf = new WeakMap<Context, Counts>()

/**
 * The size of a dataset and the time of that count: pages refresh every few seconds, and three million orders are not counted each time. A
 * dataset that was fetched since the last count is counted before the answer.
 */
export async function countDataset(scope: MerchantScope, id: DatasetId, fetchedAt: Date | null): Promise<DatasetCount> {
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
function countOnce(scope: MerchantScope, id: DatasetId, { last, underWay }: Counts): Promise<DatasetCount> {
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

import type { SyncProgress } from '@okaeri/contract/customers/customer'

type Step = Pick<SyncProgress['steps'][number], 'status' | 'exported_count' | 'loaded_count'>

/** Exporting takes about as long as loading. */
const EXPORT_SHARE = 0.5
/** Below this, an estimate would be a guess. */
const MIN_DONE = 0.1

/** How much of a copy is done, 0 to 1. */
export function shareDone(steps: readonly Step[]): number {
  const done = steps.map((step) => {
    if (step.status === 'done') return 1
    if (step.status !== 'loading') return 0
    return EXPORT_SHARE + (1 - EXPORT_SHARE) * Math.min(1, step.loaded_count / Math.max(1, step.exported_count))
  })
  return done.reduce((sum, share) => sum + share, 0) / Math.max(1, steps.length)
}

/**
 * Seconds left of a running copy at its present speed. Null while unknown: at the beginning, and during an export, because the store reports
 * how much it has written but not how much is left.
 */
export function secondsLeft(steps: readonly Step[], elapsedMs: number): number | null {
  const done = shareDone(steps)
  if (done < MIN_DONE || steps.some(({ status }) => status === 'exporting')) return null
  return Math.ceil((elapsedMs * (1 - done)) / done / 1000)
}

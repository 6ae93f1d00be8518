import type { SyncProgress } from '@okaeri/contract/customers/customer'

type Step = Pick<SyncProgress['steps'][number], 'status' | 'exported_count' | 'loaded_count'>

/** Exporting takes about as long as loading what was exported. */
const EXPORT_SHARE = 0.5
/** With less done than this, an estimate would be a guess. */
const MIN_DONE = 0.1

/** How much of a copy is done, 0 to 1. While exporting nobody knows how much will come: it counts as half of its share. */
export function shareDone(steps: readonly Step[]): number {
  const done = steps.map((step) => {
    if (step.status === 'done') return 1
    if (step.status === 'exporting') return EXPORT_SHARE / 2
    if (step.status === 'loading')
      return EXPORT_SHARE + (1 - EXPORT_SHARE) * Math.min(1, step.loaded_count / Math.max(1, step.exported_count))
    return 0
  })
  return done.reduce((sum, share) => sum + share, 0) / Math.max(1, steps.length)
}

/** Seconds a running copy will still take if it goes on as until now; null while that cannot be told. */
export function secondsLeft(steps: readonly Step[], elapsedMs: number): number | null {
  const done = shareDone(steps)
  return done < MIN_DONE ? null : Math.ceil((elapsedMs * (1 - done)) / done / 1000)
}

import type { SyncProgress } from '@okaeri/contract/customers/customer'
import { STUCK_EXPORT_MS } from '../../integrations/shopify/operations.ts'

type Step = Pick<SyncProgress['steps'][number], 'status' | 'exported_count' | 'loaded_count'>

/** Exporting takes about as long as loading. */
const EXPORT_SHARE = 0.5
/** Below this, an estimate would be a guess. */
const MIN_DONE = 0.1

const MINUTE_MS = 60_000
/** Exports of small stores take seconds, of large ones minutes. */
const SLOW_MS = 30 * MINUTE_MS
const STANDS_MS = 10 * MINUTE_MS

interface Exporting {
  kind: SyncProgress['steps'][number]['kind']
  status: SyncProgress['steps'][number]['status']
  startedAt: Date | null
  progressedAt: Date | null
  givenUp: boolean
}
/** An export that takes the store long, or has not advanced for a while. A time in the future was stored before the clock was set back. */
export function slowExport(steps: readonly Exporting[], now: Date): SyncProgress['slow_export'] {
  const step = steps.find(({ status }) => status === 'exporting')
  if (!step?.startedAt) return null
  const { kind, startedAt, givenUp } = step
  const progressedAt = step.progressedAt ?? startedAt
  const stands = now.getTime() - progressedAt.getTime() > STANDS_MS
  if (!stands && now.getTime() - startedAt.getTime() <= SLOW_MS) return null
  return {
    kind,
    since: startedAt.toISOString(),
    stands_since: stands ? progressedAt.toISOString() : null,
    given_up_at: new Date(startedAt.getTime() + STUCK_EXPORT_MS).toISOString(),
    given_up: givenUp,
  }
}

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

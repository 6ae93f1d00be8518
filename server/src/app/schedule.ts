import { judgeHits } from '../features/tracking/index.ts'
import type { Recurring } from '../kernel/schedule.ts'

/** Everything the clock drives, on one page. Each finds its due work in the database. */
export const schedule: readonly Recurring[] = [judgeHits]

import { recurring } from '../../../kernel/work/due-merchants.ts'
import type { Recurring } from '../../../kernel/work/schedule.ts'
import { dueOpenings } from './due-queries.ts'
import { readOpenings } from './openings.ts'

const MERCHANTS_AT_ONCE = 5

export const lineWork: readonly Recurring[] = [
  recurring({
    name: 'read openings on LINE',
    everyMs: 60_000,
    due: dueOpenings,
    atOnce: MERCHANTS_AT_ONCE,
    turn: readOpenings,
  }),
]

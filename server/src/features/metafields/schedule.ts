import { recurring } from '../../kernel/work/due-merchants.ts'
import type { Recurring } from '../../kernel/work/schedule.ts'
import { advanceDueFill, beginDueFill } from './backfill.ts'
import { dueFills, metafieldsToFill } from './due-queries.ts'

/** Fetching the store's metafields, and comparing them once a day. */
export const metafieldWork: readonly Recurring[] = [
  recurring({ name: 'begin fetching metafields', everyMs: 1000, due: metafieldsToFill, turn: beginDueFill }),
  recurring({ name: 'advance fetching metafields', everyMs: 300, due: dueFills, turn: advanceDueFill }),
]

import { recurring } from '../../kernel/due-merchants.ts'
import type { Recurring } from '../../kernel/schedule.ts'
import { oldViews } from './due-queries.ts'
import { forgetOldViews } from './view.ts'

export const behaviorWork: readonly Recurring[] = [
  recurring({ name: 'forget old product views', everyMs: 3_600_000, due: oldViews, turn: forgetOldViews }),
]

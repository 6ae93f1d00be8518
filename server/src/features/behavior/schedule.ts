import { recurring } from '../../kernel/work/due-merchants.ts'
import type { Recurring } from '../../kernel/work/schedule.ts'
import { oldBehavior } from './due-queries.ts'
import { forgetOld } from './forgetting.ts'

export const behaviorWork: readonly Recurring[] = [
  recurring({ name: 'forget old product views and carts', everyMs: 3_600_000, due: oldBehavior, turn: forgetOld }),
]

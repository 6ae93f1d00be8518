import { recurring } from '../../kernel/work/due-merchants.ts'
import type { Recurring } from '../../kernel/work/schedule.ts'
import { dueLooks } from './due-queries.ts'
import { keepMenus } from './platform.ts'

const MERCHANTS_AT_ONCE = 10

export const richMenuWork: readonly Recurring[] = [
  recurring({
    name: 'keep rich menus of LINE',
    everyMs: 1000,
    due: dueLooks,
    atOnce: MERCHANTS_AT_ONCE,
    turn: keepMenus,
  }),
]

import { recurring } from '../../kernel/work/due-merchants.ts'
import type { Recurring } from '../../kernel/work/schedule.ts'
import { checkDue } from './check.ts'
import { dueDomains } from './due-queries.ts'

const MERCHANTS_AT_ONCE = 10

export const senderDomainWork: readonly Recurring[] = [
  recurring({
    name: 'look sender domains up',
    everyMs: 60_000,
    due: dueDomains,
    atOnce: MERCHANTS_AT_ONCE,
    turn: checkDue,
  }),
]

import { DateTime } from 'luxon'
import { recurring } from '../../kernel/work/due-merchants.ts'
import { heavyWork } from '../../kernel/work/heavy-work.ts'
import { type MerchantScope, merchantScope } from '../../kernel/merchant-scope.ts'
import type { Facts } from '../../kernel/facts.ts'
import { getMerchant } from '../merchants/index.ts'
import { answersBy } from './answers.ts'
import { duePrograms } from './due-queries.ts'
import {
  claimDueProgram,
  countProgram,
  type DueProgram,
  listProgramAnswers,
  noteActivity,
  rescheduleProgram,
  setFigures,
} from './queries.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** How long after mails of it were last sent it is counted again, and how often: opens and what comes back become fewer. */
const PAUSES: readonly { within: number; pause: number }[] = [
  { within: 6 * HOUR, pause: 10 * MINUTE },
  { within: DAY, pause: HOUR },
  { within: 3 * DAY, pause: 6 * HOUR },
  { within: 14 * DAY, pause: DAY },
  { within: 60 * DAY, pause: 5 * DAY },
]
/** Counting takes at most such a part of the time. */
const SHARE_OF_TIME = 200
/** While it is being sent. */
const SHORTEST_PAUSE = 5 * MINUTE
const CLAIMED_FOR = 15 * MINUTE
/** Of scenarios, which never end: later than so long after a mail nothing comes of it, and the first time as far back as pages look. */
const SCENARIO_DAYS = 45
const FIRST_DAYS = 185

const LONGEST = 5 * DAY

/** Null: nothing more comes of it. Pure. */
export function nextCount(now: Date, activeAt: Date, tookMs: number): { dueAt: Date | null; pauseMs: number } {
  const slow = Math.min(tookMs * SHARE_OF_TIME, LONGEST)
  const pauseMs = Math.round(Math.max(SHORTEST_PAUSE, slow))
  const age = now.getTime() - activeAt.getTime()
  const step = PAUSES.find(({ within }) => age < within)
  return { pauseMs, dueAt: step ? new Date(now.getTime() + Math.max(step.pause, slow)) : null }
}

/** Something of a campaign or scenario was sent. */
export async function noteSent(scope: MerchantScope, { programs }: Facts['deliveries.counted']): Promise<void> {
  await noteActivity(
    scope,
    programs.map(({ id, kind }) => ({ program_id: id, kind })),
  )
}

/** Sets the figures of one program from the ledger's rows. Counted outside a transaction: nothing waits for it, and twice is as good as once. */
async function count(scope: MerchantScope, program: DueProgram, claimedUntil: Date): Promise<void> {
  const { timezone } = await getMerchant(scope)
  const began = performance.now()
  const firstDay =
    program.kind === 'scenario'
      ? DateTime.fromJSDate(scope.now, { zone: timezone })
          .startOf('day')
          .minus({ days: program.counted_at ? SCENARIO_DAYS : FIRST_DAYS })
      : null
  const span = { since: firstDay?.toJSDate() ?? scope.now, timezone }
  const { rows, said } = await heavyWork(async () => ({
    rows: await countProgram(scope, program, span),
    said: await listProgramAnswers(scope, program, span),
  }))
  const tookMs = performance.now() - began
  const named = new Set(rows.map(({ receiver }) => receiver))
  const answers = answersBy(said, ({ day }, receiver) => `${day} ${receiver}`, named)
  await scope.transaction(async (scope) => {
    await setFigures(scope, program.program_id, {
      fromDay: firstDay?.toISODate() ?? null,
      rows: rows.map((row) => ({ ...row, answers: answers.get(`${row.day} ${row.receiver}`) ?? [] })),
    })
    const next = nextCount(scope.now, program.active_at, tookMs)
    await rescheduleProgram(scope, program.program_id, { ...next, claimedUntil, countedAt: scope.now })
  })
}

export const countByReceivers = recurring({
  name: 'count mails by receiver',
  everyMs: 60_000,
  due: duePrograms,
  async turn({ context, merchantId }, signal) {
    let worked = false
    while (!signal.aborted) {
      const scope = merchantScope(context, merchantId)
      const claimedUntil = new Date(scope.now.getTime() + CLAIMED_FOR)
      const program = await scope.transaction((scope) => claimDueProgram(scope, claimedUntil))
      if (!program) break
      await count(scope, program, claimedUntil)
      worked = true
    }
    return worked
  },
})

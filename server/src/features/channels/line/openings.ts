import { LineError } from '../../../integrations/line/index.ts'
import { AppError } from '../../../kernel/errors.ts'
import { inAnHour } from '../../../kernel/work/due-merchants.ts'
import type { MerchantScope } from '../../../kernel/merchant-scope.ts'
import { askWithToken } from '../../line-accounts/index.ts'
import { dayInJapan } from './month.ts'
import {
  type DueOpenings,
  endOpeningsOfSent,
  findFirstSent,
  listDueOpenings,
  postponeOpenings,
  storeOpenings,
} from './openings-queries.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** The platform counts at most so many days after the first (insight.yml). */
const COUNTED_MS = 30 * DAY_MS
/** It is asked at most 60 times an hour (limits.json). */
const READ_A_TURN = 10

/** Reads how many opened what was sent: hourly at first, then as often as a quarter of its age, at last once a day. */
export async function readOpenings(scope: MerchantScope, signal: AbortSignal): Promise<boolean> {
  const due = await listDueOpenings(scope, READ_A_TURN)
  for (const message of due) {
    if (signal.aborted || !(await read(scope, message))) return false
  }
  return due.length === READ_A_TURN
}

/** What another channel sent, this one cannot be asked about. */
export async function endOpenings(scope: MerchantScope, { formerId }: { formerId: string | null }): Promise<void> {
  if (formerId !== null) await endOpeningsOfSent(scope)
}

/** False where the platform did not say: the others would fare no better now. */
async function read(
  scope: MerchantScope,
  { message_id: id, unit, first_sent_at: known }: DueOpenings,
): Promise<boolean> {
  const found = known ? { at: known, is_over: false } : await findFirstSent(scope, id)
  if (!found.at) {
    await postponeOpenings(scope, id, found.is_over ? null : inAnHour(scope.now))
    return true
  }
  const firstSentAt = found.at
  const ageMs = scope.now.getTime() - firstSentAt.getTime()
  const to = new Date(Math.min(scope.now.getTime(), firstSentAt.getTime() + COUNTED_MS))
  try {
    const line = scope.context.integrations.line.messages
    const { opened } = await askWithToken(scope, (token) =>
      line.figures(token, unit, { from: dayInJapan(firstSentAt), to: dayInJapan(to) }),
    )
    const waitMs = Math.min(DAY_MS, Math.max(HOUR_MS, ageMs / 4))
    const dueAt = ageMs > COUNTED_MS ? null : new Date(scope.now.getTime() + waitMs)
    await storeOpenings(scope, id, { firstSentAt, opened, dueAt })
    return true
  } catch (error) {
    // Where the platform takes no token of the merchant any more, the account says so, and nothing is due before a person acted.
    const isShutOut = error instanceof AppError && error.reason === 'line_not_connected'
    if (!isShutOut && !(error instanceof LineError)) throw error
    await postponeOpenings(scope, id, inAnHour(scope.now))
    return false
  }
}

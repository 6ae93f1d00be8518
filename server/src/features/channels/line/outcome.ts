import type { FailureClass } from '@okaeri/contract/deliveries/delivery'
import type { LineOutcome, LineProblem } from '../../../integrations/line/index.ts'
import { newId } from '../../../kernel/ids.ts'
import {
  type ClaimedRow,
  failedResult,
  type JudgedAnswer,
  resultDefaults,
  type Result,
} from '../../deliveries/index.ts'
import { endOfMonth } from './month.ts'

/** Seconds until an unknown outcome is asked for again, under the same key; after the last one again and again while the key is held. */
const RETRY_SECONDS = [5, 30, 120, 600, 1800, 3600] as const
const RATE_PAUSE_MS = 1000
const UNREACHABLE_PAUSE_MS = 10_000
const CONFIGURATION_PAUSE_MS = 15 * 60_000

type Row = Pick<ClaimedRow, 'id' | 'attempts' | 'batch_id'>

/**
 * What an outcome means for those who were handed over together: all have the same, but for a bad id among many. `attempts` does not
 * count this try yet. Pure, but for the ids of new batches.
 */
export function judge(outcome: LineOutcome, rows: readonly Row[], now: Date): JudgedAnswer {
  switch (outcome.kind) {
    case 'accepted':
      return all(rows, ({ id }) => ({ ...resultDefaults(id), status: 'sent', detail: outcome.requestId, sentAt: now }))
    case 'accepted_before':
      return all(rows, ({ id }) => ({ ...resultDefaults(id), status: 'sent', detail: outcome.requestId, sentAt: now }))
    case 'unknown':
      return all(rows, (row) => ({ ...waits(row, 'temporary', outcome.detail), ...countedAt(row, now) }))
    case 'rate_limited':
      return paused(rows, { reason: 'temporary', detail: 'HTTP 429', ms: RATE_PAUSE_MS })
    case 'quota_used_up': {
      const ms = endOfMonth(now).getTime() - now.getTime()
      const { results, pause } = paused(rows, { reason: 'quota', detail: 'the messages of the month are used up', ms })
      return { results, pause: pause && { ...pause, byQuota: true } }
    }
    case 'unreachable':
      return paused(rows, { reason: 'temporary', detail: outcome.detail, ms: UNREACHABLE_PAUSE_MS })
    case 'unauthorized':
      return paused(rows, { reason: 'configuration', detail: outcome.message, ms: CONFIGURATION_PAUSE_MS })
    case 'refused':
      return paused(rows, {
        reason: 'configuration',
        detail: `HTTP ${outcome.status} ${outcome.message}`.trim(),
        ms: CONFIGURATION_PAUSE_MS,
      })
    case 'bad_request':
      return { results: refused(outcome, rows) }
  }
}

/** None of them got it: the content is wrong, or one of several recipients, who is found by trying halves. */
function refused(
  { message, problems }: { message: string; problems: readonly LineProblem[] },
  rows: readonly Row[],
): Result[] {
  const detail = [message, ...problems.map(({ message, property }) => `${property ?? ''} ${message}`.trim())].join('; ')
  if (isOfContent(problems)) return rows.map(({ id }) => failedResult(id, 'content', detail))
  if (rows.length <= 1) return rows.map(({ id }) => failedResult(id, 'permanent', detail))
  const halves = [newId(), newId()] as const
  return rows.map((row, at) => ({
    ...waits(row, 'temporary', detail),
    batchId: halves[at < rows.length / 2 ? 0 : 1],
  }))
}

export const isOfContent = (problems: readonly LineProblem[]): boolean =>
  problems.some(({ property }) => property?.startsWith('messages'))

const all = (rows: readonly Row[], result: (row: Row) => Result): JudgedAnswer => ({ results: rows.map(result) })

/** It surely did not arrive and the next would not either: all wait. */
const paused = (
  rows: readonly Row[],
  { reason, detail, ms }: { reason: FailureClass; detail: string; ms: number },
): JudgedAnswer => ({ results: rows.map((row) => waits(row, reason, detail)), pause: { ms, detail } })

const waits = (row: Row, reason: FailureClass, detail: string): Result => ({
  ...resultDefaults(row.id),
  status: 'pending',
  reason,
  detail,
  countsAttempt: false,
  batchId: row.batch_id,
})

const countedAt = ({ attempts }: Row, now: Date) => ({
  countsAttempt: true,
  nextAttemptAt: new Date(now.getTime() + (RETRY_SECONDS[attempts] ?? RETRY_SECONDS[5]) * 1000),
})

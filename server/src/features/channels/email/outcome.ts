import type { FailureClass } from '@okaeri/contract/deliveries/delivery'
import { classifyReply, isHardBounce, isSendingRate, type SmtpReply } from '../../../integrations/mail/reply.ts'
import type { SmtpOutcome } from '../../../integrations/mail/smtp-session.ts'
import {
  type ClaimedRow,
  failedResult,
  type Pause,
  resultDefaults,
  type Result,
  type ResultRow,
} from '../../deliveries/index.ts'

/** Temporary refusals: minutes until the next try; after the last one the delivery has failed. */
const RETRY_MINUTES = [1, 5, 15, 30, 60, 120, 240, 480] as const
const QUOTA_PAUSE_MS = 15 * 60_000
/** Then it is asked again whether it is this one's turn (pace.ts). */
const RECEIVER_PAUSE_MS = 60_000
/** Said of a second; the others go on, slower (`integrations/mail/sending-rate.ts`). */
const SENDING_RATE_MS = 10_000
/** A server that does not answer is looked for again soon. */
const UNREACHABLE_PAUSE_MS = 10_000
/** All connections that the server allows us are taken by others. */
const CROWDED_PAUSE_MS = 30_000

interface Judged {
  result: Result
  /** The mailer's own limits were hit: everything through it waits. */
  pause?: Pause
  isOneTooMany?: boolean
}

/** What an outcome means for the delivery. Pure, so that every case is one line of a test. */
export function judge(
  outcome: Exclude<SmtpOutcome, { kind: 'withheld' }>,
  row: Pick<ClaimedRow, 'id' | 'attempts' | 'address' | 'test_mode'>,
  now: Date,
): Judged {
  const { id } = row
  switch (outcome.kind) {
    case 'accepted':
      return { result: { ...resultDefaults(id), status: 'sent', detail: outcome.reply.text, sentAt: now } }
    case 'uncertain':
      return { result: { ...resultDefaults(id), status: 'uncertain', detail: outcome.detail } }
    case 'unreachable':
      return {
        result: { ...again(row, 'configuration', outcome.detail, now), countsAttempt: false },
        pause: { ms: UNREACHABLE_PAUSE_MS, detail: outcome.detail },
      }
    case 'crowded':
      return {
        result: { ...again(row, 'quota', outcome.detail, now), countsAttempt: false },
        ...(outcome.others > 0
          ? { isOneTooMany: true }
          : { pause: { ms: CROWDED_PAUSE_MS, detail: outcome.detail, unlessOthersSend: true } }),
      }
    case 'lost':
      return { result: again(row, 'temporary', outcome.detail, now) }
    case 'refused': {
      const failure = classifyReply(outcome.reply, outcome.stage)
      if (failure === 'quota' && isSendingRate(outcome.reply)) {
        const nextAttemptAt = new Date(now.getTime() + SENDING_RATE_MS)
        return {
          result: { ...again(row, 'quota', outcome.reply.text, now), nextAttemptAt, countsAttempt: false },
        }
      }
      return judgeRefusal(failure, outcome.reply, row, now)
    }
  }
}

function judgeRefusal(
  failure: Exclude<FailureClass, 'warm_up'>,
  reply: SmtpReply,
  row: Pick<ClaimedRow, 'id' | 'attempts' | 'address' | 'test_mode'>,
  now: Date,
): Judged {
  const { id } = row
  switch (failure) {
    case 'quota':
      return {
        result: { ...again(row, 'quota', reply.text, now), countsAttempt: false },
        pause: { ms: QUOTA_PAUSE_MS, detail: reply.text },
      }
    case 'receiver_limit':
      return { result: postponed(id, reply.text, new Date(now.getTime() + RECEIVER_PAUSE_MS)) }
    case 'configuration':
      // Every message would be refused: all wait while someone looks.
      return {
        result: { ...again(row, 'configuration', reply.text, now), countsAttempt: false },
        pause: { ms: QUOTA_PAUSE_MS, detail: reply.text },
      }
    case 'temporary':
      return { result: again(row, 'temporary', reply.text, now) }
    case 'permanent':
      return {
        result: {
          ...failedResult(id, 'permanent', reply.text),
          ...(!row.test_mode && {
            bounce: {
              address: row.address,
              detail: reply.text,
              isHard: isHardBounce(reply, row.address),
              status: reply.enhanced,
            },
          }),
        },
      }
    case 'content':
      return { result: failedResult(id, 'content', reply.text) }
  }
}

/** Back to pending without a try counted: who takes the mail of its address takes fewer at a time. */
export const postponed = (id: string, answer: string, until: Date): ResultRow => ({
  ...resultDefaults(id),
  status: 'pending',
  reason: 'receiver_limit',
  detail: answer,
  nextAttemptAt: until,
  countsAttempt: false,
})

/** Back to pending with a later time; failed when the tries are used up. `attempts` does not count this try yet. */
function again(row: Pick<ClaimedRow, 'id' | 'attempts'>, reason: FailureClass, detail: string, now: Date): ResultRow {
  if (reason !== 'temporary') return { ...resultDefaults(row.id), status: 'pending', reason, detail }
  const minutes = RETRY_MINUTES[row.attempts]
  if (minutes === undefined) return failedResult(row.id, 'temporary', detail)
  return {
    ...resultDefaults(row.id),
    status: 'pending',
    reason,
    detail,
    nextAttemptAt: new Date(now.getTime() + minutes * 60_000),
  }
}

import { crashPoint } from '../../kernel/crash-point.ts'
import type { Facts } from '../../kernel/facts.ts'
import type { MerchantScope, TransactionScope } from '../../kernel/merchant-scope.ts'
import { endExecutions } from '../executions/index.ts'
import { answerRequests, endUnknownRequests, lockFreeRequests, releaseRequests } from '../restocks/index.ts'
import {
  claimDueNotices,
  detachNotices,
  moveNotices,
  type NoticeState,
  selectDueRequests,
  updateNotices,
} from './notice-queries.ts'

const AT_ONCE = 500
const inTestMode = new Set(['test_cap', 'no_test_address', 'test_day_cap'])
const SECOND_MS = 1000
const LONGEST_MS = 600 * SECOND_MS

export type Judgment =
  | { outcome: 'under_way' }
  | { outcome: 'sent'; sentAt: Date }
  /** They may have been notified. */
  | { outcome: 'uncertain' }
  | {
      outcome: 'failed' | 'skipped' | 'refused' | 'withdrawn'
      reason: string | null
      /** They were not notified, but may still be in this same return. */
      waitsOn: boolean
    }

/** What came of a registration's event, as far as the ledger knows. */
export function judgeNotice(state: NoticeState): Judgment {
  if (state.sent_at) return { outcome: 'sent', sentAt: state.sent_at }
  if (state.is_sending) return { outcome: 'under_way' }
  const { delivery_status: status, delivery_reason: reason } = state
  if (status === 'uncertain') return { outcome: 'uncertain' }
  if (state.execution_id === null) {
    if (state.waits) return { outcome: 'under_way' }
    if (state.refused_by !== null) return { outcome: 'refused', reason: state.refused_by, waitsOn: false }
    if (!state.has_event) return { outcome: 'withdrawn', reason: null, waitsOn: false }
    // The scenario was stopped before it looked.
    if (state.event_looked_at !== null) return { outcome: 'refused', reason: 'scenario_stopped', waitsOn: true }
    return { outcome: 'under_way' }
  }
  // It went to the test addresses, or would have.
  if (status === 'sent') return { outcome: 'skipped', reason: null, waitsOn: true }
  if (status === 'skipped' && reason !== null && inTestMode.has(reason))
    return { outcome: 'skipped', reason, waitsOn: true }
  // A failed one may be played again.
  const hasEnded = ['done', 'resolved', null].includes(state.execution_status)
  if (status === 'skipped' && reason === 'out_of_stock') return { outcome: 'skipped', reason, waitsOn: true }
  if (!hasEnded) return { outcome: 'under_way' }
  if (status === 'failed') return { outcome: 'failed', reason, waitsOn: false }
  return { outcome: 'skipped', reason: reason ?? state.end_reason, waitsOn: false }
}

/** Looks what became of the notices that are due; returns whether there were any. */
export async function settleNotices(scope: TransactionScope): Promise<boolean> {
  // Registrations are locked before their notices, as where customers are merged. What others hold is looked at the next time.
  const requestIds = await lockFreeRequests(scope, await selectDueRequests(scope, AT_ONCE))
  const states = await claimDueNotices(scope, requestIds)
  const judged = states.map((state) => ({ state, judgment: judgeNotice(state) }))
  await updateNotices(
    scope,
    judged.map(({ state, judgment }) => ({
      returnId: state.return_id,
      requestId: state.request_id,
      outcome: judgment.outcome,
      reason: 'reason' in judgment ? judgment.reason : null,
      sentAt: 'sentAt' in judgment ? judgment.sentAt : null,
      checkAt: judgment.outcome === 'under_way' ? nextLook(state.at, scope.now) : null,
    })),
  )
  await answerRequests(
    scope,
    judged.flatMap(({ state, judgment }) =>
      judgment.outcome === 'sent' ? { id: state.request_id, at: judgment.sentAt } : [],
    ),
  )
  await endUnknownRequests(
    scope,
    judged.flatMap(({ state, judgment }) => (judgment.outcome === 'uncertain' ? state.request_id : [])),
  )
  // What follows the answer is not sent without it.
  await endExecutions(
    scope,
    judged.flatMap(({ state: { execution_id: executionId }, judgment }) =>
      executionId !== null && judgment.outcome === 'skipped' && judgment.reason === 'out_of_stock'
        ? { executionId, reason: 'out_of_stock' }
        : [],
    ),
  )
  await releaseRequests(
    scope,
    judged.flatMap(({ state, judgment }) =>
      'waitsOn' in judgment && (judgment.waitsOn || state.return_ended) ? state.request_id : [],
    ),
  )
  if (states.length > 0) crashPoint('wave_judged')
  return states.length > 0
}

/** Soon at first; what waits for its hour is looked at now and then. */
const nextLook = (since: Date, now: Date): Date => {
  const age = Math.max(0, now.getTime() - since.getTime())
  return new Date(now.getTime() + Math.min(LONGEST_MS, Math.max(2 * SECOND_MS, age / 4)))
}

export const mergeNotices = (scope: MerchantScope, { fromId, intoId }: Facts['customers.merged']): Promise<void> =>
  moveNotices(scope, fromId, intoId)
export const detachNoticesOf = (scope: MerchantScope, { customerId }: Facts['customer.deleted']): Promise<void> =>
  detachNotices(scope, customerId)

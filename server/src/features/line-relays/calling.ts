import { setTimeout as sleep } from 'node:timers/promises'
import { postChecked } from '../../integrations/webhook/index.ts'
import { IntegrationError } from '../../kernel/errors.ts'
import { type MerchantScope, merchantScope } from '../../kernel/merchant-scope.ts'
import { claimCalls, type DueCall, listRelayIds, reportCall } from './queries.ts'

const MINUTE_MS = 60_000
/** Between tries; after the last one it is given up. */
const BACK_OFF_MINUTES = [1, 5, 15, 60]
const CALL_TIMEOUT_MS = 10_000
/** Longer than a batch can take: a worker that says nothing by then is taken for dead. */
const TAKEN_MS = 5 * MINUTE_MS
/** To one address at the same time. */
const AT_ONCE = 5
/** Then other merchants have theirs. Real time, as the next. */
const TURN_MS = 30_000
const LOOK_EVERY_MS = 500
const MAX_ANSWER = 300

/**
 * Passes on what waits; returns whether there was any. Each address has a queue of its own: one that is silent keeps no other waiting, and a
 * chatbot behind another has only a minute to reply.
 */
export async function passOn(scope: MerchantScope, signal: AbortSignal): Promise<boolean> {
  const { context, merchantId } = scope
  const relayIds = await listRelayIds(scope)
  const turnEnds = context.clock.realNow().getTime() + TURN_MS
  let worked = false
  let calling = 0
  const serve = async (relayId: string): Promise<void> => {
    do {
      calling += 1
      const made = await passOnTo(merchantScope(context, merchantId), relayId).finally(() => (calling -= 1))
      worked ||= made
      // The others’ calls may last: meanwhile something may come for this one.
      if (!made && calling > 0) await sleep(LOOK_EVERY_MS)
      else if (!made) return
    } while (!signal.aborted && context.clock.realNow().getTime() < turnEnds)
  }
  const ends = await Promise.allSettled(relayIds.map(serve))
  for (const end of ends) if (end.status === 'rejected') throw end.reason
  return worked
}

async function passOnTo(scope: MerchantScope, relayId: string): Promise<boolean> {
  const until = new Date(scope.now.getTime() + TAKEN_MS)
  const due = await claimCalls(scope, { relayId, limit: AT_ONCE, until })
  await Promise.all(due.map((call) => make(scope, call)))
  return due.length > 0
}

async function make(scope: MerchantScope, call: DueCall): Promise<void> {
  const came = await post(scope, call)
  // A new scope, because time has passed since it was claimed.
  const { context, merchantId } = scope
  const now = merchantScope(context, merchantId)
  const minutes = came.mayHelp ? BACK_OFF_MINUTES[call.tries - 1] : undefined
  await reportCall(now, call.id, {
    // PostgreSQL stores no NUL.
    answer: came.answer.replaceAll('\0', '').slice(0, MAX_ANSWER).toWellFormed(),
    state: came.taken ? 'done' : minutes === undefined ? 'failed' : 'waiting',
    nextTryAt: minutes === undefined ? null : new Date(now.now.getTime() + minutes * MINUTE_MS),
  })
}

async function post(
  { context }: MerchantScope,
  { url, body, signature }: DueCall,
): Promise<{ taken: boolean; mayHelp: boolean; answer: string }> {
  try {
    const { status, answer } = await postChecked({
      url,
      body,
      headers: { 'x-line-signature': signature, 'user-agent': 'Okaeri-Relay/1' },
      timeoutMs: CALL_TIMEOUT_MS,
      allowPrivate: context.settings.isLocalSandbox,
    })
    return { taken: true, mayHelp: false, answer: `${status} ${answer}`.trim() }
  } catch (error) {
    if (!(error instanceof IntegrationError)) throw error
    return { taken: false, mayHelp: error.retryable, answer: error.detail }
  }
}

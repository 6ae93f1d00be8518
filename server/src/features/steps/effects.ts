import type { StepError } from '@okaeri/contract/scenarios/execution-status'
import type { FlowNode, NodeOf } from '@okaeri/contract/scenarios/flow/flow'
import type { NodeKindName } from '@okaeri/contract/scenarios/node-kinds/index'
import {
  TAGS_ADD,
  TAGS_REMOVE,
  type TagsAddResult,
  type TagsRemoveResult,
} from '../../integrations/shopify/customer-operations.ts'
import { globalId } from '../../integrations/shopify/sync-operations.ts'
import { callWebhook } from '../../integrations/webhook/index.ts'
import { retriedTransaction } from '../../kernel/database/deadlocks.ts'
import { recurring } from '../../kernel/work/due-merchants.ts'
import { AppError, IntegrationError } from '../../kernel/errors.ts'
import { type MerchantScope, merchantScope, type TransactionScope } from '../../kernel/merchant-scope.ts'
import { changeStoreTags } from '../customers/index.ts'
import {
  type ClaimedEffect,
  type Effect,
  type EffectSubject,
  findEffectSubject,
  insertEffects,
  isOutage,
  leaseEffects,
  lockDueEffects,
  markEffectsStopped,
  selectEffects,
  updateEffect,
} from '../executions/index.ts'
import { selectScenariosOf } from '../flows/index.ts'
import { dueEffects } from './due-queries.ts'
import { findStore, getStoreClient } from '../stores/index.ts'
import type { ExecutionAt, Move, NodeKind } from './node-kind.ts'

const DAY_MS = 86_400_000
/** Long after the last try. If no worker ever answers, the execution fails instead of waiting forever. */
const GIVES_UP_MS = 7 * DAY_MS

/**
 * A node that does something outside. The effect is stored with the step, and the execution sleeps until a worker has done it or
 * failed. Tests and the hold-out group do nothing.
 */
export function effectNode<K extends NodeKindName>(effectOf: (node: NodeOf<K>) => Effect): NodeKind<K> {
  return {
    rehearse: () => ({ to: 'next' }),
    async advance({ scope, node, executions }) {
      const effect = effectOf(node)
      const { id: nodeId }: FlowNode = node
      const does = (execution: ExecutionAt): boolean => whyNotDone(execution, effect) === null
      const arrived = executions.filter((each) => each.woken === 'arrived' && does(each))
      if (arrived.length > 0) await insertEffects(scope, nodeId, arrived, effect)
      const results = await selectEffects(
        scope,
        nodeId,
        executions.filter(({ woken, attempts }) => woken !== 'arrived' || attempts > 0),
      )
      const tooLate = executions.filter(({ id }) => results.get(id)?.status === 'held')
      if (tooLate.length > 0) await insertEffects(scope, nodeId, tooLate, effect)
      return executions.map((execution): Move => {
        const because = whyNotDone(execution, effect)
        if (because) return { to: 'next', detail: { done: false, because } }
        const result = results.get(execution.id)
        // Also when it was played again: the effect may have been done after the execution gave up.
        if (result?.status === 'done') return { to: 'next', detail: { done: true, answer: result.answer } }
        if (execution.woken === 'arrived' || result?.status === 'held')
          return { sleepUntil: new Date(scope.now.getTime() + GIVES_UP_MS), awaits: 'effect' }
        return { fail: result?.error ?? errors[effect.kind].unreachable, detail: result?.answer ?? 'no answer' }
      })
    },
  }
}

function whyNotDone({ test, held_out, customer_id }: ExecutionAt, { kind }: Effect): string | null {
  if (test) return 'test'
  if (held_out) return 'holdout'
  return kind === 'tags' && customer_id === null ? 'guest' : null
}

const errors: Record<Effect['kind'], { refused: StepError; unreachable: StepError }> = {
  webhook: { refused: 'webhook_refused', unreachable: 'webhook_unreachable' },
  tags: { refused: 'store_refused', unreachable: 'store_refused' },
}

const MINUTE_MS = 60_000
/** Between tries. After the last one the execution fails. */
const BACK_OFF_MINUTES = [1, 5, 15, 60]
const CALL_TIMEOUT_MS = 10_000
/** Real time. Longer than one effect can take. */
const LEASE_MS = 60_000
/** Effects of one merchant at the same time: a slow server delays the merchant's other effects by at most ten seconds. */
const AT_ONCE = 20
const MERCHANTS_AT_ONCE = 50

/** Does one effect and stores the result. If the worker dies in between, another worker does it again, under the same id. */
async function work(scope: MerchantScope, effect: ClaimedEffect): Promise<void> {
  const result = await attempt(scope, effect)
  // A new scope, because time has passed since it was claimed.
  await retriedTransaction(merchantScope(scope.context, scope.merchantId), (scope) => report(scope, effect, result))
}

type EffectResult = { answer: string } | { error: StepError; answer: string; retry: boolean }

async function attempt(scope: MerchantScope, effect: ClaimedEffect): Promise<EffectResult> {
  const words = errors[effect.kind]
  const subject = await findEffectSubject(scope, effect)
  if (!subject) return { answer: 'its execution has ended' }
  try {
    return {
      answer: effect.kind === 'webhook' ? await call(scope, effect, subject) : await tag(scope, effect, subject),
    }
  } catch (error) {
    if (error instanceof IntegrationError) {
      // An HTTP status, not a host name that begins with digits (`203.0.113.9.example was not found`).
      const answered = /^\d{3}(?: |$)/.test(error.detail) || !error.retryable
      return { error: answered ? words.refused : words.unreachable, answer: error.detail, retry: error.retryable }
    }
    if (error instanceof AppError) return { error: words.refused, answer: error.message, retry: false }
    if (isOutage(error)) throw error
    scope.context.log.error({ merchantId: scope.merchantId, effectId: effect.id, error }, 'an effect failed')
    return { error: 'internal', answer: error instanceof Error ? error.message : String(error), retry: true }
  }
}

const MAX_ANSWER = 500
async function report(scope: TransactionScope, effect: ClaimedEffect, result: EffectResult): Promise<void> {
  // An answer may be anything, also a picture. PostgreSQL stores no NUL, and an answer that cannot be stored would be requested again.
  const answer = result.answer.replaceAll('\0', '').slice(0, MAX_ANSWER)
  if (!('error' in result)) {
    await updateEffect(scope, effect, { status: 'done', error: null, answer, nextAttemptAt: null })
    return
  }
  const minutes = result.retry ? BACK_OFF_MINUTES[effect.attempts] : undefined
  await updateEffect(scope, effect, {
    status: minutes === undefined ? 'failed' : 'pending',
    error: result.error,
    answer,
    nextAttemptAt: minutes === undefined ? null : new Date(scope.now.getTime() + minutes * MINUTE_MS),
  })
}

/** The secret that signs webhooks: derived from the installation's secrets, different for each merchant. */
export const webhookSecret = ({ context, merchantId }: MerchantScope): string =>
  context.keyring.linkMac(Buffer.from(`scenario webhooks of ${merchantId}`), 32)

async function call(
  scope: MerchantScope,
  { id, node_id, payload: { url } }: ClaimedEffect & { kind: 'webhook' },
  subject: EffectSubject,
): Promise<string> {
  const { status, answer } = await callWebhook({
    url,
    id,
    secret: webhookSecret(scope),
    at: scope.now,
    timeoutMs: CALL_TIMEOUT_MS,
    allowPrivate: scope.context.settings.isLocalSandbox,
    body: JSON.stringify({
      id,
      sent_at: scope.now.toISOString(),
      scenario: { id: subject.scenario_id, name: subject.scenario_name },
      node: { id: node_id, name: subject.node_name ?? '' },
      execution: { id: subject.execution_id, started_at: subject.created_at.toISOString() },
      customer:
        subject.customer_id === null
          ? null
          : {
              id: subject.customer_id,
              store_customer_id: subject.store_customer_id,
              email: subject.email,
              first_name: subject.first_name,
              last_name: subject.last_name,
              tags: subject.tags,
            },
      guest_id: subject.guest_id,
      event: subject.event_kind && {
        kind: subject.event_kind,
        occurred_at: subject.event_occurred_at?.toISOString(),
        subject: subject.event_subject,
      },
    }),
  })
  return `${status} ${answer}`.trim()
}

/** In the store, and here at once. The store's webhook about it then changes nothing. */
async function tag(
  scope: MerchantScope,
  { payload: { add, remove } }: ClaimedEffect & { kind: 'tags' },
  { customer_id, store_customer_id }: EffectSubject,
): Promise<string> {
  if (customer_id === null) return 'the customer is gone'
  const store = store_customer_id === null ? null : await findStore(scope)
  if (store?.status === 'connected' && store_customer_id !== null) {
    const client = await getStoreClient(scope)
    const id = globalId('Customer', store_customer_id)
    const refusals = []
    if (add.length > 0)
      refusals.push(...(await client.graphql<TagsAddResult>(TAGS_ADD, { id, tags: add })).tagsAdd.userErrors)
    if (remove.length > 0)
      refusals.push(
        ...(await client.graphql<TagsRemoveResult>(TAGS_REMOVE, { id, tags: remove })).tagsRemove.userErrors,
      )
    const [refusal] = refusals
    if (refusal) throw new IntegrationError('shopify', false, refusal.message)
  }
  await retriedTransaction(scope, (scope) =>
    changeStoreTags(scope, { id: customer_id, added: add, removed: remove, occurredAt: scope.now }),
  )
  return store_customer_id === null ? 'not a customer of the store: tagged here only' : 'tagged'
}

/** Nothing is done for a stopped scenario. The lock keeps it from being stopped or enabled meanwhile, as in time-slice.ts. */
function claimDue(scope: MerchantScope): Promise<{ found: number; effects: ClaimedEffect[] }> {
  return scope.transaction(async (scope) => {
    const due = await lockDueEffects(scope, AT_ONCE)
    const scenarioIds = [...new Set(due.flatMap(({ scenario_id }) => scenario_id ?? []))]
    const running = new Set<string>()
    const look = async (ids: readonly string[], options: { locked?: boolean }): Promise<void> => {
      for (const { id, status } of await selectScenariosOf(scope, ids, options))
        if (status === 'active') running.add(id)
    }
    await look(scenarioIds, {})
    const idle = scenarioIds.filter((id) => !running.has(id))
    if (idle.length > 0) await look(idle, { locked: true })
    const [done, held] = [
      due.filter(({ scenario_id }) => scenario_id === null || running.has(scenario_id)),
      due.filter(({ scenario_id }) => scenario_id !== null && !running.has(scenario_id)),
    ]
    const idsOf = (those: typeof due): string[] => those.map(({ id }) => id)
    if (held.length > 0) await markEffectsStopped(scope, idsOf(held))
    return { found: due.length, effects: done.length > 0 ? await leaseEffects(scope, idsOf(done), LEASE_MS) : [] }
  })
}

export const doEffects = recurring({
  name: 'do what scenarios want outside',
  everyMs: 500,
  due: dueEffects,
  atOnce: MERCHANTS_AT_ONCE,
  async turn(scope) {
    const { found, effects } = await claimDue(scope)
    await Promise.all(effects.map((effect) => work(scope, effect)))
    return found > 0
  },
})

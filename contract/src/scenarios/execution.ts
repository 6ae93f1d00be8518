import { z } from 'zod'
import { DeliveryView } from '../deliveries/delivery.ts'
import { endpoint } from '../endpoint.ts'
import { Id, IdParams, Instant } from '../fields.ts'
import { PageQuery, pageOf } from '../paging.ts'
import { countingVerb } from './counting-verb.ts'
import { EventKind, EventSubject } from './event.ts'

const area = 'scenarios'

/**
 * `running`: at a node, or asleep until `wake_at`. `paused`: by a person. `late`: its wake-up was found more than a day late and somebody is
 * asked. `failed`: a step could not be done; it is kept at its node. `done`: ended, `end_reason` says how. `resolved`: a failed one put aside.
 */
export const executionStatuses = ['running', 'paused', 'late', 'failed', 'done', 'resolved'] as const
export const ExecutionStatus = z.enum(executionStatuses)
export type ExecutionStatus = z.output<typeof ExecutionStatus>

export const endReasons = [
  'finished',
  'bought',
  'checkout_left',
  'order_cancelled',
  'coupon_used',
  'unsubscribed',
  'customer_gone',
  'late_skipped',
  'stopped',
] as const
export const EndReason = z.enum(endReasons)
export type EndReason = z.output<typeof EndReason>

/** Why a step failed: a stable word; the page says what to do. */
export const stepErrors = [
  'email_gone',
  'segment_gone',
  'template_broken',
  'coupon_not_made',
  'coupon_expired',
  'event_gone',
  'store_refused',
  'webhook_unreachable',
  'webhook_refused',
  'line_not_connected',
  'endless',
  'internal',
] as const
export const StepError = z.enum(stepErrors)
export type StepError = z.output<typeof StepError>

export type ExecutionVerb = 'pause' | 'play' | 'restart' | 'resolve' | 'update' | 'delete'
const allowed: Record<ExecutionVerb, readonly ExecutionStatus[]> = {
  pause: ['running', 'failed'],
  // Of a failed one: the step is tried again.
  play: ['paused', 'failed', 'late'],
  // Spec §4: from the beginning; mails are sent again and coupons made anew.
  restart: ['paused', 'failed', 'late', 'done', 'resolved', 'running'],
  resolve: ['failed', 'late'],
  update: ['running', 'paused', 'failed', 'late'],
  delete: ['running', 'paused', 'late', 'failed', 'done', 'resolved'],
}
/** The rule both sides obey: the API refuses by it (`execution_status_forbids`), the button is disabled by it. */
export const executionAllows = (verb: ExecutionVerb, status: ExecutionStatus): boolean => allowed[verb].includes(status)

/** One entry of the history. What does not apply is null. */
export const ExecutionStep = z
  .object({
    at: z.iso.datetime(),
    round: z.int(),
    node_id: z.string(),
    node_kind: z.string(),
    node_name: z.string(),
    /**
     * The port it left by, `asleep`, `failed`, or for the last one `ended`; or what was done with it: `paused`, `played`, `restarted`, `resolved`,
     * `moved` (its wake-up), `late` (found more than a day late), `version` (moved to another version of the flow),
     * `renewed` (given a new coupon).
     */
    outcome: z.string(),
    /** What decided or was done: the value compared, the address mailed, the code issued. For people, in stable words and values. */
    detail: z.record(z.string(), z.unknown()).nullable(),
    delivery_id: z.uuid().nullable(),
    /** What became of that mail so far. */
    delivery: DeliveryView.nullable(),
  })
  .meta({ id: 'ExecutionStep' })
export type ExecutionStep = z.output<typeof ExecutionStep>

export const Execution = z
  .object({
    id: z.uuid(),
    scenario: z.object({ id: z.uuid(), name: z.string() }),
    version: z.int(),
    event: z.object({ id: z.uuid(), kind: EventKind, occurred_at: z.iso.datetime(), subject: EventSubject }).nullable(),
    customer: z.object({ id: z.uuid(), name: z.string(), email: z.string().nullable() }).nullable(),
    guest_id: z.uuid().nullable(),
    status: ExecutionStatus,
    end_reason: EndReason.nullable(),
    /** Where it is: the node it is at or asleep in. */
    node: z.object({ id: z.string(), kind: z.string(), name: z.string() }).nullable(),
    wake_at: z.iso.datetime().nullable(),
    /** What went out last and what goes out next along the flow: names of mails. */
    sent_content: z.string().nullable(),
    next_content: z.string().nullable(),
    test: z.boolean(),
    /** Entered, and sent nothing (the hold-out share). */
    held_out: z.boolean(),
    round: z.int(),
    last_error: z.object({ error: StepError, detail: z.string().nullable(), at: z.iso.datetime() }).nullable(),
    created_at: z.iso.datetime(),
    ended_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'Execution' })
export type Execution = z.output<typeof Execution>

const one = z.object({ execution: Execution.extend({ steps: z.array(ExecutionStep) }) })

export const listExecutions = endpoint('GET', '/executions/', {
  area,
  summary: 'Executions, newest first',
  access: 'member',
  query: PageQuery.extend({
    action_id: Id.optional(),
    customer_id: Id.optional(),
    status: ExecutionStatus.optional(),
    node_id: z.string().max(40).optional(),
    test: z.enum(['true', 'false']).optional(),
    /** Those that failed by this. */
    error: StepError.optional(),
    q: z.string().max(200, 'too_long').optional(),
  }),
  reply: pageOf(Execution),
})
export const getExecution = endpoint('GET', '/executions/{id}', {
  area,
  summary: 'One execution with its history',
  access: 'member',
  params: IdParams,
  reply: one,
})
export const changeExecution = endpoint('PUT', '/executions/{id}', {
  area,
  summary: 'Move the wake-up of a sleeping execution',
  access: 'marketer',
  params: IdParams,
  body: z.strictObject({ wake_at: Instant }),
  reply: one,
})
export const deleteExecution = endpoint('DELETE', '/executions/{id}', {
  area,
  summary: 'Delete an execution; what it sent stays in the customer’s history',
  access: 'marketer',
  params: IdParams,
  status: 204,
  replyKind: 'empty',
})
const verb = (name: string, summary: string) =>
  endpoint('POST', `/executions/{id}/${name}`, { area, summary, access: 'marketer', params: IdParams, reply: one })
export const restartExecution = verb('restart', 'From the beginning: mails are sent again, coupons made anew')
export const pauseExecution = verb('pause', 'Keep an execution where it is')
export const playExecution = verb('play', 'Go on; a failed step is tried again')
export const resolveExecution = verb('resolve', 'Put a failed execution aside')

export const sendLateOnes = countingVerb(
  'send_late',
  'Go on with the executions whose wake-up was found more than a day late',
)
export const skipLateOnes = countingVerb('skip_late', 'End the executions whose wake-up was found more than a day late')
export const playFailedOnes = countingVerb(
  'play_failed',
  'Try the step again of all executions that failed: its cause is mended',
)
export const resolveFailedOnes = countingVerb('resolve_failed', 'Put all executions that failed aside')

/** Not in the specification's list. */
export const getWebhookSecret = endpoint('GET', '/webhook_secret', {
  area,
  summary: 'What the receiver of a scenario’s webhooks checks their signatures with',
  access: 'marketer',
  reply: z.object({ secret: z.string(), header: z.string() }),
})

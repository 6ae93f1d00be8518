import { z } from 'zod'
import { DeliveryView } from '../deliveries/delivery.ts'
import { endpoint } from '../endpoint.ts'
import { Id, IdParams, Instant } from '../fields.ts'
import { PageQuery, pageOf } from '../paging.ts'
import { countingVerb } from './counting-verb.ts'
import { EventKind, EventSubject } from './event.ts'
import { EndReason, ExecutionStatus, StepError } from './execution-status.ts'

const area = 'scenarios'

/** One entry of the history. Fields that do not apply are null. */
export const ExecutionStep = z
  .object({
    at: z.iso.datetime(),
    round: z.int(),
    node_id: z.string(),
    node_kind: z.string(),
    node_name: z.string(),
    /**
     * The port it left by, `asleep`, `failed` or, as the last entry, `ended`. Or an action: `paused`, `played`, `restarted`, `resolved`,
     * `moved` (its wake-up), `late` (found more than a day late), `version` (moved to another version), `renewed` (got a new coupon).
     */
    outcome: z.string(),
    /** What decided or was done: the value compared, the address mailed, the code issued. */
    detail: z.record(z.string(), z.unknown()).nullable(),
    delivery_id: z.uuid().nullable(),
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
    /** The node it is at or asleep in. */
    node: z.object({ id: z.string(), kind: z.string(), name: z.string() }).nullable(),
    wake_at: z.iso.datetime().nullable(),
    /** Names of the messages: the last one sent, and the next one along the flow. */
    sent_content: z.string().nullable(),
    next_content: z.string().nullable(),
    test: z.boolean(),
    /** In the hold-out group: it entered and is sent nothing. */
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
/** `round`: the one the person saw. Another tab restarted it since where it differs: 409 `execution_restarted_meanwhile`. */
export const restartExecution = endpoint('POST', '/executions/{id}/restart', {
  area,
  summary: 'Start again from the beginning, with new messages and coupons',
  access: 'marketer',
  params: IdParams,
  body: z.strictObject({ round: z.int().optional() }).default({}),
  reply: one,
})
export const pauseExecution = verb('pause', 'Keep an execution where it is')
export const playExecution = verb('play', 'Continue; a failed step is tried again')
export const resolveExecution = verb('resolve', 'Accept that an execution failed')

export const sendLateOnes = countingVerb(
  'send_late',
  'Continue the executions whose wake-up was found more than a day late',
)
export const skipLateOnes = countingVerb('skip_late', 'End the executions whose wake-up was found more than a day late')
export const playFailedOnes = countingVerb('play_failed', 'Try the failed step again for all failed executions')
export const resolveFailedOnes = countingVerb('resolve_failed', 'Accept all executions that failed')

/** Not in the specification's list. */
export const getWebhookSecret = endpoint('GET', '/webhook_secret', {
  area,
  summary: 'The secret that signs the webhooks of scenarios',
  access: 'marketer',
  reply: z.object({ secret: z.string(), header: z.string() }),
})

import type { EventKind, EventSubject } from '@okaeri/contract/scenarios/event'
import { getExecution } from '@okaeri/contract/scenarios/execution'
import type { Flow, FlowNode } from '@okaeri/contract/scenarios/flow/flow'
import type { Leaf } from '@okaeri/contract/segments/condition'
import { sql } from 'kysely'
import { insertScenario, updateScenario } from '../src/features/flows/queries.ts'
import { newId } from '../src/kernel/ids.ts'
import type { MerchantScope } from '../src/kernel/merchant-scope.ts'
import { addCustomers } from './fixtures.ts'
import type { TestMerchant } from './harness.ts'

/** A node without its place on the page. */
type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never
export type PlainNode = DistributiveOmit<FlowNode, 'name' | 'position'>

export const waitNode = (
  id: string,
  next: string | null,
  amount: number,
  unit: 'minutes' | 'hours' | 'days' = 'days',
): PlainNode => ({ id, kind: 'wait', settings: { wait: { mode: 'for', amount, unit } }, next: { next } })
/** Long enough that no execution gets through it in a test that does not move the clock by a year. */
export const asleep: PlainNode = waitNode('asleep', null, 300)
export const mailNode = (id: string, emailId: string | null, next: string | null): PlainNode => ({
  id,
  kind: 'send_email',
  settings: { email_id: emailId, tracking_parameters: null },
  next: { next },
})
export const lineNode = (id: string, lineMessageId: string | null, next: string | null): PlainNode => ({
  id,
  kind: 'send_line',
  settings: { line_message_id: lineMessageId, tracking_parameters: null },
  next: { next },
})
export const endNode = (id: string): PlainNode => ({ id, kind: 'end', settings: {}, next: {} })
/** A condition: they gave permission to marketing. */
export const granted = {
  type: 'condition',
  id: 'r',
  category: 'consent',
  name: 'accepts_marketing',
  operator: 'is',
  value: true,
} as const satisfies Leaf

export const flowOf = (nodes: readonly PlainNode[], rest: Partial<Flow> = {}): Flow => ({
  trigger: { kind: 'order_paid' },
  condition: null,
  reentry: { mode: 'always' },
  ends_on: [],
  start: nodes[0]?.id ?? null,
  nodes: nodes.map((node, index) => ({ ...node, name: '', position: { x: 0, y: index * 100 } })) as FlowNode[],
  ...rest,
})

/** An active scenario, even if its flow has problems. */
export async function addScenario(scope: MerchantScope, flow: Flow, name = '購入のお礼'): Promise<string> {
  const id = newId()
  await insertScenario(
    scope,
    {
      id,
      name,
      mode: 'flow',
      template: null,
      form: null,
      conditions: null,
      include_all_customers: false,
      priority: 'normal',
      holdout_percent: 0,
    },
    flow,
  )
  await updateScenario(scope, id, { status: 'active', enabled_at: scope.now })
  return id
}

export interface NewExecution {
  customerId: string | null
  guestId?: string
  eventId?: string
  nodeId?: string | null
  test?: boolean
  heldOut?: boolean
}

/** Executions as entering would leave them: at the first node, due now. Returns their ids in order. */
export async function addExecutions(
  scope: MerchantScope,
  scenarioId: string,
  executions: readonly NewExecution[],
): Promise<string[]> {
  const rows = executions.map(({ customerId, guestId, eventId, nodeId, test, heldOut }) => ({
    id: newId(),
    customer_id: customerId,
    guest_id: guestId ?? null,
    event_id: eventId ?? null,
    node_id: nodeId,
    test: test ?? false,
    held_out: heldOut ?? false,
  }))
  await sql`
    insert into executions (merchant_id, id, scenario_id, version, event_id, customer_id, guest_id, status, node_id, wake_at,
      test, held_out, created_at)
    select ${scope.merchantId}, r.id, s.id, s.version, r.event_id, r.customer_id, r.guest_id, 'running',
      coalesce(r.node_id, v.flow ->> 'start'), ${scope.now}, r.test, r.held_out, ${scope.now}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (id uuid, event_id uuid, customer_id uuid, guest_id uuid,
      node_id text, test boolean, held_out boolean), scenarios s
    join scenario_versions v on v.merchant_id = s.merchant_id and v.scenario_id = s.id and v.number = s.version
    where s.merchant_id = ${scope.merchantId} and s.id = ${scenarioId}`.execute(scope.db)
  return rows.map(({ id }) => id)
}

/** So many new customers at the beginning of a new scenario of these nodes. */
export async function startExecutions(scope: MerchantScope, nodes: readonly PlainNode[], count = 1) {
  const customerIds = await addCustomers(
    scope,
    Array.from({ length: count }, () => ({})),
  )
  const scenarioId = await addScenario(scope, flowOf(nodes))
  const ids = await addExecutions(
    scope,
    scenarioId,
    customerIds.map((customerId) => ({ customerId })),
  )
  return { scenarioId, customerIds, ids, id: ids[0] ?? '', customerId: customerIds[0] ?? '' }
}

/** An execution with its history, as its page asks for it. */
export const executionOf = async (merchant: TestMerchant, id: string) =>
  (await merchant.call(getExecution, { params: { id } })).execution
/** The way it went: each step as `node outcome`. */
export const pathOf = async (merchant: TestMerchant, id: string): Promise<string[]> =>
  (await executionOf(merchant, id)).steps.map(({ node_id, outcome }) => `${node_id} ${outcome}`)

/** Something that happened, already looked at: it starts nothing. */
export async function addEvent(
  scope: MerchantScope,
  event: { kind: EventKind; customerId: string; subject?: EventSubject; occurredAt?: Date },
): Promise<string> {
  const id = newId()
  await sql`
    insert into events (merchant_id, id, kind, key, customer_id, subject, occurred_at, created_at, looked_at)
    values (${scope.merchantId}, ${id}, ${event.kind}, ${id}, ${event.customerId}, ${JSON.stringify(event.subject ?? {})},
      ${event.occurredAt ?? scope.now}, ${scope.now}, ${scope.now})`.execute(scope.db)
  return id
}

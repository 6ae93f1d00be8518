import type { Flow } from '@okaeri/contract/scenarios/flow/flow'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { addCustomers, addEmail } from '../../../test/fixtures.ts'
import type { TestMerchant } from '../../../test/harness.ts'
import { untilWaiting } from '../../../test/locks.ts'
import {
  addScenario,
  asleep,
  endNode,
  executionOf,
  flowOf,
  granted,
  mailNode,
  type PlainNode,
  waitNode,
} from '../../../test/scenarios.ts'
import { okaeri, withOkaeri } from '../../../test/with-okaeri.ts'
import { recordEvents } from '../events/index.ts'
import { advanceDue } from '../steps/time-slice.ts'
import { enterDue } from './entering.ts'
import { onlyDecidesAtFirst } from './run-to-first-wait.ts'
import { deleteScenario, stopScenario } from '../scenarios/scenario.ts'

// A customer who enters is taken to the first wait in the same transaction.

const HOUR = 3_600_000
const DAY = 24 * HOUR
withOkaeri()
let merchant: TestMerchant
beforeEach(async () => {
  merchant = await okaeri.merchant()
})

const split: PlainNode = {
  id: 'share',
  kind: 'random_split',
  settings: { shares: [50, 50] },
  next: { a: 'asleep', b: 'short', c: null, d: null, e: null },
}
const short = waitNode('short', null, 3)
const untilTen: PlainNode = {
  id: 'ten',
  kind: 'wait',
  settings: { wait: { mode: 'until_time', time: '10:00' } },
  next: { next: null },
}
const branch: PlainNode = {
  id: 'b',
  kind: 'branch',
  settings: { condition: granted },
  next: { yes: 'asleep', no: 'asleep' },
}

async function happen(count = 1, occurredAt = okaeri.clock.now()): Promise<string[]> {
  const customerIds = await addCustomers(
    merchant.scope(),
    Array.from({ length: count }, () => ({})),
  )
  await recordEvents(
    merchant.scope(),
    customerIds.map((customerId) => ({
      kind: 'order_paid',
      key: customerId,
      customerId,
      occurredAt,
    })),
  )
  return customerIds
}
const executions = async (scenarioId: string) =>
  await okaeri.query<{
    id: string
    node_id: string
    asleep: boolean
    status: string
    end_reason: string | null
    steps: number
  }>`
      select id, node_id, asleep, status, end_reason, steps from executions
      where merchant_id = ${merchant.id} and scenario_id = ${scenarioId} order by id`

const nodeCounts = async (scenarioId: string) =>
  await okaeri.query<{ node_id: string; entered: number; passed: number }>`
      select node_id, entered, passed from scenario_node_counts
      where merchant_id = ${merchant.id} and scenario_id = ${scenarioId} order by node_id`

test('a flow that begins with a wait puts its new executions to sleep at once, with history, counts and wake-up time', async () => {
  const id = await addScenario(merchant.scope(), flowOf([split, asleep, short]))
  await happen(20)
  await enterDue(merchant.scope())
  const rows = await executions(id)
  expect(rows).toHaveLength(20)
  expect(rows.every((row) => row.asleep && row.status === 'running' && row.steps === 2)).toBe(true)
  const atShort = rows.filter(({ node_id }) => node_id === 'short').length
  expect(await nodeCounts(id)).toEqual([
    { node_id: 'asleep', entered: 20 - atShort, passed: 0 },
    { node_id: 'share', entered: 20, passed: 20 },
    { node_id: 'short', entered: atShort, passed: 0 },
  ])
  expect(await advanceDue(merchant.scope())).toBe(0)
  const one = rows.find(({ node_id }) => node_id === 'short')?.id ?? ''
  expect(await executionOf(merchant, one)).toMatchObject({
    status: 'running',
    node: { id: 'short' },
    steps: [
      { node_id: 'share', outcome: 'b', round: 1 },
      { node_id: 'short', outcome: 'asleep', detail: { until: expect.any(String) } },
    ],
  })
  okaeri.advance(3 * DAY)
  expect(await advanceDue(merchant.scope())).toBe(atShort)
  expect(await executionOf(merchant, one)).toMatchObject({ status: 'done', end_reason: 'finished' })
})

test.each([
  ['taken to its first wait at once', flowOf([waitNode('first', null, 30)])],
  [
    'where the engine comes to it',
    flowOf([{ ...branch, next: { yes: 'first', no: 'first' } }, waitNode('first', null, 30)]),
  ],
])('a wait counts from what happened, not from when it was looked at: %s', async (_how, flow) => {
  const id = await addScenario(merchant.scope(), flow)
  const happenedAt = okaeri.clock.now()
  await happen(1, happenedAt)
  okaeri.advance(5 * HOUR)
  await okaeri.settle()
  const wakeAt = async () =>
    (
      await okaeri.query<{ wake_at: Date }>`
        select wake_at from executions where merchant_id = ${merchant.id} and scenario_id = ${id}`
    )[0]?.wake_at.getTime()
  expect(await wakeAt()).toBe(happenedAt.getTime() + 30 * DAY)
})

test('a wait after a mail counts from the mail: when a worker comes late, two mails do not leave at once', async () => {
  const emailId = await addEmail(merchant.scope())
  const id = await addScenario(merchant.scope(), flowOf([mailNode('m', emailId, 'w'), waitNode('w', null, 1, 'hours')]))
  await happen()
  okaeri.advance(5 * HOUR)
  const lookedAt = okaeri.clock.now().getTime()
  await okaeri.settle()
  const rows = await okaeri.query<{ wake_at: Date }>`
    select wake_at from executions where merchant_id = ${merchant.id} and scenario_id = ${id}`
  expect(rows[0]?.wake_at.getTime()).toBeGreaterThanOrEqual(lookedAt + HOUR)
})

test('the first wait after an abandoned basket counts from the end of the trigger’s minutes', async () => {
  const trigger = { kind: 'cart_abandoned', after_minutes: 60 } as const
  const id = await addScenario(merchant.scope(), { ...flowOf([waitNode('first', null, 30)]), trigger })
  const [customerId = ''] = await addCustomers(merchant.scope(), [{}])
  const changedAt = okaeri.clock.now()
  await recordEvents(merchant.scope(), [
    { kind: 'cart_abandoned', key: 'basket', customerId, scenarioId: id, occurredAt: changedAt },
  ])
  okaeri.advance(5 * HOUR)
  await okaeri.settle()
  const rows = await okaeri.query<{ wake_at: Date }>`
    select wake_at from executions where merchant_id = ${merchant.id} and scenario_id = ${id}`
  expect(rows.map(({ wake_at }) => wake_at.getTime())).toEqual([changedAt.getTime() + HOUR + 30 * DAY])
})

test.each<[string, Partial<Flow>, boolean]>([
  ['a wait', flowOf([asleep]), true],
  ['shares that wait', flowOf([split, asleep, short]), true],
  ['a share that ends', flowOf([split, asleep]), false],
  ['a wait until a time of day, which moves with the zone', flowOf([untilTen]), false],
  ['a condition, which may ask who is in scenarios', flowOf([branch, asleep]), false],
  ['an end', flowOf([endNode('end')]), false],
  ['nothing', { ...flowOf([]), start: null }, false],
])('what begins with %s', (_what, flow, taken) => {
  expect(onlyDecidesAtFirst(flow as Flow)).toBe(taken)
})

test('a first step that fails keeps no one out: the step runner repeats it and finds the execution', async () => {
  const unreadable = { ...waitNode('w', null, 1), settings: { wait: { mode: 'for', amount: 1, unit: 'never' } } }
  const broken = await addScenario(merchant.scope(), flowOf([unreadable as PlainNode]))
  const whole = await addScenario(merchant.scope(), flowOf([asleep]))
  await happen(2)
  await enterDue(merchant.scope())
  expect(await executions(whole)).toMatchObject([{ asleep: true }, { asleep: true }])
  expect(await executions(broken)).toMatchObject([
    { status: 'running', asleep: false, steps: 0 },
    { status: 'running', asleep: false, steps: 0 },
  ])
  expect(await nodeCounts(broken)).toEqual([])
  await advanceDue(merchant.scope())
  expect(await executions(broken)).toMatchObject([{ status: 'failed' }, { status: 'failed' }])
})

test('a customer who enters while the scenario is deleted is ended like the others', async () => {
  const id = await addScenario(merchant.scope(), flowOf([asleep]))
  await happen(3)
  // Deleted after it was found active, and before the entry limits are written.
  const { entering } = await merchant.scope().transaction(async ({ db }) => {
    await sql`update scenarios set status = 'deleted' where merchant_id = ${merchant.id} and id = ${id}`.execute(db)
    const entering = enterDue(merchant.scope())
    await untilWaiting(okaeri)
    return { entering }
  })
  await entering
  expect(await executions(id)).toHaveLength(3)
  while ((await advanceDue(merchant.scope())) > 0);
  expect((await executions(id)).map(({ end_reason }) => end_reason)).toEqual(['stopped', 'stopped', 'stopped'])
})

test('a deleted scenario also ends executions it could not see yet', async () => {
  const id = await addScenario(merchant.scope(), flowOf([asleep]))
  await happen(3)
  const { deleting } = await merchant.scope().transaction(async (scope) => {
    await enterDue(scope)
    const deleting = stopScenario(merchant.scope(), id).then(() => deleteScenario(merchant.scope(), id))
    await untilWaiting(okaeri)
    return { deleting }
  })
  await deleting
  expect((await executions(id)).map(({ end_reason }) => end_reason)).toEqual(['stopped', 'stopped', 'stopped'])
})

import {
  deleteExecution,
  getExecution,
  resolveExecution,
  restartExecution,
  skipLateOnes,
} from '@okaeri/contract/scenarios/execution'
import { deleteScenario, getScenario } from '@okaeri/contract/scenarios/routes'
import type { Leaf } from '@okaeri/contract/segments/condition'
import { explainSegment } from '@okaeri/contract/segments/condition-routes'
import * as segments from '@okaeri/contract/segments/routes'
import { beforeEach, describe, expect, test } from 'vitest'
import { addCustomers, addEmail, setSendingHours } from '../../../test/fixtures.ts'
import { untilWaiting } from '../../../test/locks.ts'
import { addExecutions, addScenario, flowOf, mailNode, type PlainNode } from '../../../test/scenarios.ts'
import { merchant, okaeri, withMerchants } from '../../../test/with-okaeri.ts'
import { aSegment, segmentOf } from '../../../test/builders/segment.ts'
import { newId } from '../../kernel/ids.ts'
import { recordEvents } from '../events/index.ts'
import { joinGuest, guestOf } from '../guests/index.ts'
import { calculateSegment } from '../segments/index.ts'
import { advanceDue } from '../steps/time-slice.ts'
import { endExecutions } from './ending.ts'
import { enterDue } from '../entering/entering.ts'
import { markDirty } from './membership.ts'
import { updateScenario } from '../flows/queries.ts'

const DAY = 86_400_000
withMerchants()

const wait = (next: string | null = null): PlainNode => ({
  id: 'wait',
  kind: 'wait',
  settings: { wait: { mode: 'for', amount: 3, unit: 'days' } },
  next: { next },
})
const manual = { trigger: { kind: 'manual' as const, segment_id: null } }
const scenario = (name = 'お礼'): Promise<string> => addScenario(merchant.scope(), flowOf([wait()], manual), name)
/** Through the public functions of entering. */
const enter = async (scenarioId: string, customerIds: readonly string[]): Promise<void> => {
  const scope = merchant.scope()
  await recordEvents(
    scope,
    customerIds.map((customerId) => ({
      kind: 'manual',
      key: `manual:${newId()}`,
      customerId,
      scenarioId,
      subject: {},
      occurredAt: scope.now,
    })),
  )
}
const asks = (name: string, operator: string, value: Leaf['value']): Leaf => ({
  type: 'condition',
  id: 'row',
  category: 'scenarios',
  name,
  operator,
  value,
})
const times = (value: number, more: object = {}) => ({ value, scenarios: null, reasons: null, window: null, ...more })
const isIn = (...scenarios: string[]): Leaf => asks('scenario_now', 'has', { scenarios })
async function segment(conditions: Leaf, name = '区分'): Promise<string> {
  const { id } = await aSegment(merchant, conditions, name)
  await okaeri.settle()
  return id
}
const countOf = async (id: string): Promise<number | null> => (await segmentOf(merchant, id)).customer_count
const executionOf = async (customerId: string): Promise<string> => {
  const rows = await okaeri.query<{ id: string }>`
    select id from executions where merchant_id = ${merchant.id} and customer_id = ${customerId}`
  return rows[0]?.id ?? ''
}
const changedNow = async (): Promise<number> =>
  (await okaeri.query`select from changed_customers where merchant_id = ${merchant.id}`).length

describe('a segment with a condition on a scenario', () => {
  let customers: string[]
  let scenarioId: string
  let now: string
  let entered: string
  let ended: string
  beforeEach(async () => {
    customers = await addCustomers(merchant.scope(), [{}, {}, {}])
    scenarioId = await scenario()
    now = await segment(isIn(scenarioId))
    entered = await segment(asks('scenario_entered', 'at_least', times(1, { scenarios: [scenarioId] })))
    ended = await segment(asks('scenario_ended', 'at_least', times(1)))
  })
  /** How many are in it now, have entered it, have finished it. */
  const counts = async () => {
    await okaeri.settle()
    return [await countOf(now), await countOf(entered), await countOf(ended)]
  }

  test('follows customers who enter, wait and finish', async () => {
    expect(await counts()).toEqual([0, 0, 0])
    await enter(scenarioId, customers.slice(0, 2))
    expect(await counts()).toEqual([2, 2, 0])
    okaeri.advance(3 * DAY)
    expect(await counts()).toEqual([0, 2, 2])
  })

  test('follows executions that end early, are resolved, restarted or deleted', async () => {
    await enter(scenarioId, customers)
    await okaeri.settle()
    const [bought = '', failed = '', deleted = ''] = await Promise.all(customers.map(executionOf))
    await merchant.scope().transaction((scope) => endExecutions(scope, [{ executionId: bought, reason: 'bought' }]))
    expect(await counts()).toEqual([2, 3, 1])
    await okaeri.query`update executions set status = 'failed' where merchant_id = ${merchant.id} and id = ${failed}`
    await merchant.call(resolveExecution, { params: { id: failed } })
    expect(await counts()).toEqual([1, 3, 1])
    await merchant.call(deleteExecution, { params: { id: deleted } })
    expect(await counts()).toEqual([0, 2, 1])
    await merchant.call(restartExecution, { params: { id: bought } })
    expect(await counts()).toEqual([1, 2, 0])
  })

  test('follows an end reason that an order changed', async () => {
    await setSendingHours(merchant.scope(), 8, 9)
    const mailing = await addScenario(
      merchant.scope(),
      flowOf([mailNode('m', await addEmail(merchant.scope()), null)], { ...manual, ends_on: ['bought'] }),
    )
    const bought = await segment(asks('scenario_ended', 'at_least', times(1, { reasons: ['bought'] })))
    await enter(mailing, customers)
    // The last mail waits for the sending hours when the execution ends.
    expect(await counts()).toEqual([0, 0, 3])
    expect(await countOf(bought)).toBe(0)
    const [customerId = ''] = customers
    okaeri.advance(1000)
    const occurredAt = okaeri.clock.now()
    await recordEvents(merchant.scope(), [
      { kind: 'order_created', key: `order:${newId()}`, customerId, subject: { store_order_id: 1 }, occurredAt },
    ])
    expect(await counts()).toEqual([0, 0, 3])
    expect(await countOf(bought)).toBe(1)
  })

  test('follows many executions that end at once', async () => {
    await enter(scenarioId, customers)
    await okaeri.settle()
    await okaeri.query`update executions set status = 'late' where merchant_id = ${merchant.id} and id = ${await executionOf(customers[0] ?? '')}`
    await merchant.call(skipLateOnes, { params: { id: scenarioId } })
    expect(await counts()).toEqual([2, 3, 1])
  })

  test('counts the hold-out group, but no tests, and guests only once they are customers', async () => {
    const [customerId = '', held = '', tested = ''] = customers
    const { guestId } = await guestOf(merchant.scope(), { token: newId() })
    await addExecutions(merchant.scope(), scenarioId, [
      { customerId: held, heldOut: true },
      { customerId: tested, test: true },
      { customerId: null, guestId },
    ])
    await merchant.call(segments.recountSegment, { params: { id: now }, body: { force: true } })
    await okaeri.settle()
    expect(await countOf(now)).toBe(1)
    await joinGuest(merchant.scope(), guestId, customerId)
    await okaeri.settle()
    expect(await countOf(now)).toBe(2)
  })

  test('says why: how many times, and when last', async () => {
    const [customerId = ''] = customers
    await enter(scenarioId, customers)
    await okaeri.settle()
    const { created_at } = (await merchant.call(getExecution, { params: { id: await executionOf(customerId) } }))
      .execution
    const why = async (id: string) =>
      (await merchant.call(explainSegment, { params: { id }, query: { customer_id: customerId } })).explanation
    expect(await why(now)).toEqual({
      included: true,
      parts: [{ path: 'conditions', holds: true, value: { kind: 'found', number: 1, last_at: created_at } }],
    })
    expect((await why(ended)).parts).toEqual([
      { path: 'conditions', holds: false, value: { kind: 'found', number: 0, last_at: null } },
    ])
  })

  test('is shown before the scenario is deleted, and keeps it from being deleted', async () => {
    await updateScenario(merchant.scope(), scenarioId, { status: 'stopped' })
    const branching = await addScenario(
      merchant.scope(),
      flowOf([{ id: 'b', kind: 'branch', settings: { condition: isIn(scenarioId) }, next: { yes: null, no: null } }]),
      '分かれ道',
    )
    const { used_by } = await merchant.call(getScenario, { params: { id: scenarioId.toUpperCase() } })
    expect(used_by).toEqual([
      { type: 'segment', id: now, name: '区分', status: 'ready' },
      { type: 'segment', id: entered, name: '区分', status: 'ready' },
      { type: 'scenario', id: branching, name: '分かれ道', status: 'active' },
    ])
    const deleting = () => merchant.call(deleteScenario, { params: { id: scenarioId } })
    await expect(deleting()).rejects.toMatchObject({ status: 409, reason: 'scenario_in_use' })
    for (const id of [now, entered]) await merchant.call(segments.deleteSegment, { params: { id } })
    await expect(deleting()).rejects.toMatchObject({ status: 409, reason: 'scenario_in_use' })
    await updateScenario(merchant.scope(), branching, { status: 'deleted' })
    await deleting()
    // A condition that names it anyway still answers from what is recorded.
    expect(
      (
        await merchant.call(segments.previewConditions, {
          body: { conditions: asks('scenario_now', 'has_not', { scenarios: [scenarioId] }) },
        })
      ).target_counts.total,
    ).toBe(3)
    await okaeri.settle()
  })
})

test('if no segment asks about scenarios, entering and leaving one marks no customer dirty', async () => {
  const customers = await addCustomers(merchant.scope(), [{}, {}])
  const scenarioId = await scenario()
  const work = async () => {
    await enter(scenarioId, customers)
    while (await enterDue(merchant.scope()));
    while ((await advanceDue(merchant.scope())) > 0);
    okaeri.advance(3 * DAY)
    while ((await advanceDue(merchant.scope())) > 0);
  }
  await segment({ ...isIn(), category: 'customer', name: 'tags', operator: 'has', value: ['scenarios'] })
  await work()
  expect(await changedNow()).toBe(0)
  await segment(asks('scenario_entered', 'exactly', times(0)))
  await work()
  expect(await changedNow()).toBe(2)
  await okaeri.settle()
})

test('a segment created while customers enter, who saw that none asks, is calculated when they have', async () => {
  const [customerId = ''] = await addCustomers(merchant.scope(), [{}])
  const scenarioId = await scenario()
  const { calculating, id } = await merchant.scope().transaction(async (scope) => {
    await addExecutions(scope, scenarioId, [{ customerId }])
    await markDirty(scope, [{ customer_id: customerId, test: false }])
    const { id } = await aSegment(merchant, isIn(scenarioId))
    const calculating = calculateSegment.run(merchant.scope(), { segmentId: id })
    await untilWaiting(okaeri)
    return { calculating, id }
  })
  await calculating
  expect(await countOf(id)).toBe(1)
  await okaeri.settle()
})

test('a scenario splits its customers by whether they are in it, and lets in only those in no other', async () => {
  const customers = await addCustomers(merchant.scope(), [{}, {}])
  const [first = ''] = customers
  const other = await scenario()
  await enter(other, [first])
  await okaeri.settle()
  const id = newId()
  const branch: PlainNode = {
    id: 'b',
    kind: 'branch',
    settings: { condition: asks('scenario_now', 'has', { scenarios: null }) },
    next: { yes: 'wait', no: null },
  }
  const branching = await addScenario(
    merchant.scope(),
    flowOf([branch, wait()], {
      ...manual,
      condition: asks('scenario_now', 'has_not', { scenarios: [other] }),
    }),
    id,
  )
  await enter(branching, customers)
  await okaeri.settle()
  const rows = await okaeri.query<{ customer_id: string; node_id: string }>`
    select customer_id, node_id from executions where merchant_id = ${merchant.id} and scenario_id = ${branching}`
  expect(rows).toEqual([{ customer_id: customers[1], node_id: 'wait' }])
})

test('conditions can name only scenarios of the merchant, each in one spelling', async () => {
  const neighbours = await addScenario((await okaeri.merchant()).scope(), flowOf([wait()], manual))
  const mine = await scenario()
  const preview = (conditions: Leaf) => merchant.call(segments.previewConditions, { body: { conditions } })
  const wrong = (fields: Record<string, string>) => ({ status: 400, reason: 'condition_invalid', fields })
  await expect(preview(isIn(mine, neighbours))).rejects.toMatchObject(
    wrong({ 'conditions.value.scenarios.1': 'not_found' }),
  )
  await expect(preview(isIn(mine.toUpperCase()))).rejects.toMatchObject(
    wrong({ 'conditions.value.scenarios.0': 'not_an_id' }),
  )
  await expect(preview(isIn())).rejects.toMatchObject(wrong({ 'conditions.value.scenarios': 'required' }))
  await expect(preview(asks('scenario_entered', 'at_least', times(1, { reasons: ['bought'] })))).rejects.toMatchObject(
    wrong({ 'conditions.value.reasons': 'not_allowed' }),
  )
  await expect(
    preview(asks('scenario_ended', 'at_least', times(1, { reasons: ['bored'], scenarios: 'all' }))),
  ).rejects.toMatchObject(
    wrong({ 'conditions.value.reasons.0': 'not_allowed', 'conditions.value.scenarios': 'not_a_list' }),
  )
})

import type { Leaf } from '@okaeri/contract/segments/condition'
import { expect, test } from 'vitest'
import { addCustomers } from '../../../test/fixtures.ts'
import {
  addExecutions,
  addScenario,
  endNode as end,
  executionOf,
  flowOf,
  granted,
  pathOf,
  type PlainNode,
  startExecutions,
  waitNode,
} from '../../../test/scenarios.ts'
import { merchant, okaeri, withMerchants } from '../../../test/with-okaeri.ts'

const HOUR = 3_600_000
withMerchants()

const wait = (id: string, next: string | null, hours = 1): PlainNode => waitNode(id, next, hours, 'hours')
const branch = (id: string, yes: string | null, no: string | null, condition: Leaf = granted): PlainNode => ({
  id,
  kind: 'branch',
  settings: { condition },
  next: { yes, no },
})

const detail = (id: string) => executionOf(merchant, id)
const path = (id: string) => pathOf(merchant, id)
const start = (nodes: readonly PlainNode[], count?: number) => startExecutions(merchant.scope(), nodes, count)
const counts = async (scenarioId: string) =>
  await okaeri.query<{ node_id: string; entered: number; passed: number; failed: number }>`
      select node_id, entered, passed, failed from scenario_node_counts
      where merchant_id = ${merchant.id} and scenario_id = ${scenarioId} order by node_id`

test('an execution waits as long as it should, and then runs to the end', async () => {
  const { scenarioId, ids } = await start([wait('w', 'e', 2), end('e')])
  const [id = ''] = ids
  await okaeri.settle()
  expect(await path(id)).toEqual(['w asleep'])
  okaeri.advance(2 * HOUR - 60_000)
  await okaeri.settle()
  expect(await detail(id)).toMatchObject({ status: 'running', node: { id: 'w', kind: 'wait' } })
  okaeri.advance(60_000)
  await okaeri.settle()
  expect(await path(id)).toEqual(['w asleep', 'w next', 'e ended'])
  expect(await detail(id)).toMatchObject({ status: 'done', end_reason: 'finished', wake_at: null })
  expect(await counts(scenarioId)).toEqual([
    { node_id: 'e', entered: 1, passed: 1, failed: 0 },
    { node_id: 'w', entered: 1, passed: 1, failed: 0 },
  ])
})

test('a branch asks the conditions of segments about everyone who is there', async () => {
  const scope = merchant.scope()
  const [yes = '', no = ''] = await addCustomers(scope, [{}, { marketing_state: 'withdrawn' }])
  const scenarioId = await addScenario(scope, flowOf([branch('b', 'e', null), end('e')]))
  const [a = '', b = '', guest = ''] = await addExecutions(scope, scenarioId, [
    { customerId: yes },
    { customerId: no },
    { customerId: null },
  ])
  await okaeri.settle()
  expect(await path(a)).toEqual(['b yes', 'e ended'])
  expect(await path(b)).toEqual(['b no', 'b ended'])
  expect(await path(guest)).toEqual(['b no', 'b ended'])
})

test('a branch that names a deleted segment keeps its executions, with the reason', async () => {
  const gone = { ...granted, category: 'segments', name: 'member', operator: 'is_member', value: [crypto.randomUUID()] }
  const { ids } = await start([branch('b', null, null, gone)], 3)
  await okaeri.settle()
  for (const id of ids)
    expect(await detail(id)).toMatchObject({
      status: 'failed',
      last_error: { error: 'segment_gone' },
      node: { id: 'b' },
    })
})

test('one execution that cannot be done fails alone; the others continue', async () => {
  const { ids } = await start([wait('w', 'e'), end('e')], 7)
  const [, bad = ''] = ids
  await okaeri.query`update executions set node_id = 'nowhere' where merchant_id = ${merchant.id} and id = ${bad}`
  await okaeri.settle()
  const states = await Promise.all(ids.map(async (id) => (await detail(id)).status))
  expect(states.filter((status) => status === 'failed')).toHaveLength(1)
  expect(await detail(bad)).toMatchObject({ status: 'failed', last_error: { error: 'internal' } })
})

test('the text of any error is stored, and cut if it is too long', async () => {
  const { ids } = await start([end('e')])
  // An emoji of two UTF-16 halves at the place of the cut.
  const nowhere = `${'x'.repeat(491)}😀`
  await okaeri.query`update executions set node_id = ${nowhere} where merchant_id = ${merchant.id}`
  await okaeri.settle()
  const { last_error } = await detail(ids[0] ?? '')
  expect(last_error?.detail).toBe(`no node ${'x'.repeat(491)}\ufffd`)
})

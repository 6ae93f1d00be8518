import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { addCustomers } from '../../../test/fixtures.ts'
import {
  addExecutions,
  addScenario,
  endNode,
  executionOf,
  flowOf,
  startExecutions,
  waitNode,
} from '../../../test/scenarios.ts'
import { okaeri, withOkaeri } from '../../../test/with-okaeri.ts'
import { getScenario } from '@okaeri/contract/scenarios/routes'
import { recordEvents } from '../events/index.ts'
import { sweepEvents } from '../entering/entry.ts'
import { removeOldHistories } from './old-histories.ts'

const DAY = 86_400_000
withOkaeri()

test('a year and a month after an execution ended its history is deleted, and no figures change', async () => {
  const merchant = await okaeri.merchant()
  const over = await startExecutions(merchant.scope(), [waitNode('w', 'e', 1), endNode('e')])
  const onItsWay = await startExecutions(merchant.scope(), [waitNode('w', 'v', 360), waitNode('v', null, 360)])
  await okaeri.settle()
  okaeri.advance(DAY)
  await okaeri.settle()
  expect((await executionOf(merchant, over.id)).steps).toHaveLength(3)
  const sweep = async () => {
    await removeOldHistories.run(okaeri.context, new AbortController().signal)
    return Promise.all([over.id, onItsWay.id].map(async (id) => (await executionOf(merchant, id)).steps.length))
  }
  for (const days of [359, 31]) {
    okaeri.advance(days * DAY)
    await okaeri.settle()
  }
  expect(await sweep()).toEqual([3, 3])
  okaeri.advance(10 * DAY)
  expect(await sweep()).toEqual([0, 3])
  expect(await executionOf(merchant, over.id)).toMatchObject({ status: 'done', end_reason: 'finished' })
  const { action } = await merchant.call(getScenario, { params: { id: over.scenarioId } })
  expect(action.execution_count).toBe(1)
  const { rows } = await sql<{ passed: number }>`select passed::int as passed from scenario_node_counts
    where merchant_id = ${merchant.id} and scenario_id = ${over.scenarioId} and node_id = 'e'`.execute(
    okaeri.context.db,
  )
  expect(rows).toEqual([{ passed: 1 }])
})

test('a finished execution keeps for good what started it: kind, time, order and products', async () => {
  const merchant = await okaeri.merchant()
  const scope = merchant.scope()
  const [customerId = ''] = await addCustomers(scope, [{}])
  const scenarioId = await addScenario(scope, flowOf([waitNode('w', 'e', 1), endNode('e')]))
  const line = (title: string) => ({ store_product_id: 1, store_variant_id: null, title, quantity: 1 })
  const teas = ['煎茶', '抹茶', '番茶', '玉露', '茎茶', '粉茶', '新茶'].map(line)
  await recordEvents(scope, [
    {
      kind: 'order_paid',
      key: 'order_paid:1001',
      customerId,
      occurredAt: scope.now,
      subject: { order_name: '#1001', nth: 1, lines: teas, recovery_url: 'https://shop.test/?key=1' },
    },
  ])
  await okaeri.settle()
  const find = async (condition: string) =>
    (
      await sql<{ id: string }>`select id from executions where merchant_id = ${merchant.id}
        and ${sql.raw(condition)}`.execute(okaeri.context.db)
    ).rows[0]?.id as string
  const id = await find('not test')
  const began = (await executionOf(merchant, id)).event
  // A test for that event has no entry.
  await addExecutions(scope, scenarioId, [{ customerId, eventId: began?.id as string, test: true }])
  const tested = await find('test')
  okaeri.advance(DAY)
  await okaeri.settle()
  expect(await executionOf(merchant, id)).toMatchObject({ status: 'done', event: { subject: { order_name: '#1001' } } })
  const { recovery_url: _link, ...subject } = began?.subject ?? {}
  const kept = { ...began, subject: { ...subject, lines: teas.slice(0, 5) } }
  for (const days of [100, 400]) {
    okaeri.advance(days * DAY)
    await sweepEvents.run(okaeri.context, new AbortController().signal)
    await removeOldHistories.run(okaeri.context, new AbortController().signal)
    expect((await executionOf(merchant, id)).event).toEqual(kept)
    expect((await executionOf(merchant, tested)).event).toEqual(kept)
  }
  const { rows } = await sql`select id from events where merchant_id = ${merchant.id} and kind = 'order_paid'`.execute(
    okaeri.context.db,
  )
  expect(rows).toEqual([])
  await okaeri.context.publish(scope, 'customer.deleted', { customerId, emailKey: null })
  expect((await executionOf(merchant, id)).event).toBeNull()
})

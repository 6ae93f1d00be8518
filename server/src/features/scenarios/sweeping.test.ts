import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { endNode, executionOf, startExecutions, waitNode } from '../../../test/scenarios.ts'
import { okaeri, withOkaeri } from '../../../test/with-okaeri.ts'
import { getScenario } from '@okaeri/contract/scenarios/routes'
import { sweepHistories } from './sweeping.ts'

const DAY = 86_400_000
withOkaeri()

test('A year and a month after an execution ended its history goes, and nothing that is counted', async () => {
  const merchant = await okaeri.merchant()
  const over = await startExecutions(merchant.scope(), [waitNode('w', 'e', 1), endNode('e')])
  const onItsWay = await startExecutions(merchant.scope(), [waitNode('w', 'v', 360), waitNode('v', null, 360)])
  await okaeri.settle()
  okaeri.advance(DAY)
  await okaeri.settle()
  expect((await executionOf(merchant, over.id)).steps).toHaveLength(3)
  const sweep = async () => {
    await sweepHistories.run(okaeri.context, new AbortController().signal)
    return Promise.all([over.id, onItsWay.id].map(async (id) => (await executionOf(merchant, id)).steps.length))
  }
  okaeri.advance(390 * DAY)
  await okaeri.settle()
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

import { once } from 'node:events'
import { saveFlow } from '@okaeri/contract/scenarios/routes'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addCustomers } from '../../../test/fixtures.ts'
import { startTestOkaeri, type TestOkaeri } from '../../../test/harness.ts'
import { otherWorkers } from '../../../test/other-worker.ts'
import { addExecutions, addScenario, endNode, flowOf, waitNode } from '../../../test/scenarios.ts'
import { moveExecutions } from './moving.ts'

// Real processes, killed with kill -9 while executions move to a new version: none is lost, none is moved twice.

const EXECUTIONS = 3500
const workers = otherWorkers()
let okaeri: TestOkaeri
beforeAll(async () => {
  okaeri = await startTestOkaeri({ env: workers.env })
})
afterAll(async () => {
  workers.end()
  await okaeri.close()
})

test('workers that die while moving executions leave the rest to the next worker', async () => {
  const { db } = okaeri.context
  const merchant = await okaeri.merchant()
  await sql`update merchants set plan = 'pro', trial_ends_at = null where id = ${merchant.id}`.execute(db)
  const scope = merchant.scope()
  const before = flowOf([waitNode('w', 'z', 30), endNode('z')])
  const id = await addScenario(scope, before)
  const customerIds = await addCustomers(
    scope,
    Array.from({ length: EXECUTIONS }, () => ({})),
  )
  await addExecutions(
    scope,
    id,
    customerIds.map((customerId) => ({ customerId })),
  )
  await okaeri.settle()
  const wakeUps = async () =>
    (
      await sql<{ sum: string }>`select md5(string_agg(id::text || ' ' || wake_at, ',' order by id)) as sum
        from executions where merchant_id = ${merchant.id} and asleep`.execute(db)
    ).rows[0]?.sum
  const moved = async () =>
    (
      await sql<{ count: number }>`select count(*)::int as count from executions
        where merchant_id = ${merchant.id} and version = 2`.execute(db)
    ).rows[0]?.count
  const asleep = await wakeUps()

  const flow = flowOf([waitNode('w', 'y', 30), waitNode('y', 'z', 1), endNode('z')])
  await merchant.call(saveFlow, { params: { id }, body: { flow, version_seen: 1, move: true } })
  // The first dies before anything is committed, the second after one thousand, the third after two.
  for (const [point, kept] of [
    ['moved:1', 0],
    ['moved:2', 1000],
    ['moved:2', 2000],
  ] as const) {
    const worker = await workers.start({ okaeri, env: { CRASH_AT: point } })
    const [code, signal] = (await once(worker, 'exit')) as [number | null, string | null]
    expect([point, code, signal]).toEqual([point, null, 'SIGKILL'])
    expect(await moved()).toBe(kept)
  }
  // The queue gives a dead worker's job to the next one; the second and third started like this too.
  await moveExecutions.run(merchant.scope(), { scenarioId: id, version: 2 })

  const { rows } = await sql<{ version: number; node_id: string; way: string; count: number }>`
    select version, node_id, way, count(*)::int as count from (
      select e.version, e.node_id, (
        select string_agg(t.node_id || ' ' || t.outcome, ', ' order by t.seq) from execution_steps t
        where t.merchant_id = e.merchant_id and t.execution_id = e.id
      ) as way
      from executions e where e.merchant_id = ${merchant.id}
    ) each group by version, node_id, way`.execute(db)
  expect(rows).toEqual([{ version: 2, node_id: 'w', way: 'w asleep, w version', count: EXECUTIONS }])
  expect(await wakeUps()).toBe(asleep)
})

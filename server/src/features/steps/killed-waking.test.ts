import { once } from 'node:events'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { addCustomers, addEmail, setSendingHours } from '../../../test/fixtures.ts'
import type { TestMerchant } from '../../../test/harness.ts'
import { otherWorkers } from '../../../test/other-worker.ts'
import { addExecutions, addScenario, flowOf } from '../../../test/scenarios.ts'
import { listenForWrites } from '../../../test/writes.ts'
import { okaeri, withOkaeri } from '../../../test/with-okaeri.ts'

// Real processes, killed with kill -9 while waking executions: none is lost, nothing is done twice.

const EXECUTIONS = 4000
const workers = otherWorkers()
let merchant: TestMerchant
withOkaeri({ env: workers.env })
afterAll(() => workers.end())

async function fallAsleep(): Promise<void> {
  merchant = await okaeri.merchant()
  const scope = merchant.scope()
  // Mails wait for the sending hours, because this is about waking.
  await setSendingHours(scope, 12, 13)
  const customerIds = await addCustomers(
    scope,
    Array.from({ length: EXECUTIONS }, (_, n) => ({
      marketing_state: n % 2 === 0 ? ('granted' as const) : ('unknown' as const),
    })),
  )
  const email_id = await addEmail(scope)
  const wait = { mode: 'for' as const, amount: 30, unit: 'days' as const }
  const scenarioId = await addScenario(
    scope,
    flowOf([
      { id: 'w', kind: 'wait', settings: { wait }, next: { next: 'b' } },
      {
        id: 'b',
        kind: 'branch',
        settings: {
          condition: {
            type: 'condition',
            id: 'r',
            category: 'consent',
            name: 'accepts_marketing',
            operator: 'is',
            value: true,
          },
        },
        next: { yes: 'm', no: 'n' },
      },
      { id: 'm', kind: 'send_email', settings: { email_id, tracking_parameters: null }, next: { next: 'v' } },
      { id: 'n', kind: 'add_note', settings: { text: '許可なし' }, next: { next: 'v' } },
      { id: 'v', kind: 'wait', settings: { wait }, next: { next: null } },
    ]),
  )
  await addExecutions(
    scope,
    scenarioId,
    customerIds.map((customerId) => ({ customerId })),
  )
  await okaeri.query`update executions set asleep = true, asleep_since = created_at where merchant_id = ${merchant.id}`
}

async function expectEachOnce(): Promise<void> {
  const { db } = okaeri.context
  const { rows: ways } = await sql<{ way: string; status: string; deliveries: number; count: number }>`
    select way, status, deliveries, count(*)::int as count from (
      select e.status, (
          select string_agg(t.node_id || ' ' || t.outcome, ', ' order by t.seq) from execution_steps t
          where t.merchant_id = e.merchant_id and t.execution_id = e.id
        ) as way, (
          select count(*)::int from deliveries d where d.merchant_id = e.merchant_id and d.execution_id = e.id
        ) as deliveries
      from executions e where e.merchant_id = ${merchant.id}
    ) as each group by way, status, deliveries order by way`.execute(db)
  expect(ways).toEqual([
    { way: 'w next, b no, n next, v asleep', status: 'running', deliveries: 0, count: EXECUTIONS / 2 },
    { way: 'w next, b yes, m next, v asleep', status: 'running', deliveries: 1, count: EXECUTIONS / 2 },
  ])
  const { rows: counts } = await sql<{ node_id: string; passed: number }>`
    select node_id, passed from scenario_node_counts where merchant_id = ${merchant.id} order by node_id`.execute(db)
  expect(counts).toEqual([
    { node_id: 'b', passed: EXECUTIONS },
    { node_id: 'm', passed: EXECUTIONS / 2 },
    { node_id: 'n', passed: EXECUTIONS / 2 },
    { node_id: 'v', passed: 0 },
    { node_id: 'w', passed: EXECUTIONS },
  ])
}

const awake = async (): Promise<number> => {
  const rows = await okaeri.query<{ count: number }>`select count(*)::int as count from executions
    where merchant_id = ${merchant.id} and node_id <> 'w'`
  return rows[0]?.count ?? 0
}

test('workers that die between claim and commit leave everything to the next worker', async () => {
  await fallAsleep()
  for (const point of ['woken:2', 'advanced:1', 'advanced:2', 'woken:1']) {
    const worker = await workers.start({ okaeri, env: { CRASH_AT: point } })
    const [code, signal] = (await once(worker, 'exit')) as [number | null, string | null]
    expect([point, code, signal]).toEqual([point, null, 'SIGKILL'])
  }
  const before = await awake()
  expect(before, 'killed in the middle').toBeGreaterThan(0)
  expect(before, 'killed in the middle').toBeLessThan(EXECUTIONS)
  await okaeri.settle()
  await expectEachOnce()
})

test('two workers share the waking, and one is killed at a random moment', async () => {
  await fallAsleep()
  const writes = await listenForWrites(okaeri)
  const [victim] = [await workers.start({ okaeri }), await workers.start({ okaeri })]
  while ((await awake()) === 0) await writes.next('executions')
  victim?.kill('SIGKILL')
  while ((await awake()) < EXECUTIONS) await writes.next('executions')
  await writes.end()
  await okaeri.settle()
  await expectEachOnce()
})

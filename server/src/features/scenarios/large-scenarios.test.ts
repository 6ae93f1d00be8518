import { getFlow } from '@okaeri/contract/scenarios/routes'
import { listScenarioDeliveries } from '@okaeri/contract/scenarios/mail-routes'
import { EXECUTIONS_COUNTED_TO } from '@okaeri/contract/scenarios/scenario'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { addScenario, asleep, flowOf } from '../../../test/scenarios.ts'
import { merchant, withMerchants } from '../../../test/with-okaeri.ts'
import { newId } from '../../kernel/ids.ts'

// Pages of scenarios that have run for years.

withMerchants()

const statuses = ['failed', 'uncertain', 'sent', 'sending', 'pending', 'skipped'] as const

test('the deliveries of a scenario are paged: first what needs attention, then the last sent', async () => {
  const scope = merchant.scope()
  const scenarioId = await addScenario(scope, flowOf([asleep]))
  const other = await addScenario(scope, flowOf([asleep]))
  const messageId = newId()
  await sql`insert into messages (merchant_id, id, tracking_enabled, state, scenario_id, node_id, version, fingerprint, created_at)
    values (${merchant.id}, ${messageId}, false, 'done', ${scenarioId}, 'n0', 1, 'f', ${scope.now})`.execute(scope.db)
  const rows = Array.from({ length: 60 }, (_, at) => ({
    id: newId(),
    scenario_id: at % 10 === 9 ? other : scenarioId,
    status: statuses[(at * 7) % statuses.length] ?? 'sent',
    node_id: `n${at % 2}`,
    // Not in the order they were written.
    sent_at: new Date(scope.now.getTime() + ((at * 13) % 60) * 1000),
  }))
  await sql`insert into deliveries (merchant_id, id, kind, channel, scenario_id, execution_id, node_id, round, message_id, status, address,
      created_at, sent_at)
    select ${merchant.id}, r.id, 'scenario', 'email', r.scenario_id, r.id, r.node_id, 1, ${messageId}, r.status, 'a@x.test', ${scope.now},
      case r.status when 'sent' then r.sent_at end
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (id uuid, scenario_id uuid, status text, node_id text, sent_at timestamptz)`.execute(
    scope.db,
  )
  const expected = (keep: (row: (typeof rows)[number]) => boolean): string[] =>
    rows
      .filter((row) => row.scenario_id === scenarioId && keep(row))
      .toSorted(
        (one, two) =>
          statuses.indexOf(one.status) - statuses.indexOf(two.status) ||
          (one.status === 'sent' ? two.sent_at.getTime() - one.sent_at.getTime() : one.id < two.id ? 1 : -1),
      )
      .map(({ id }) => id)
  const listed = async (query: { status?: (typeof statuses)[number]; node_id?: string }): Promise<string[]> => {
    const ids: string[] = []
    for (let offset = 0; ; offset += 7) {
      const { data, total } = await merchant.call(listScenarioDeliveries, {
        params: { id: scenarioId },
        query: { ...query, limit: 7, offset },
      })
      ids.push(...data.map(({ id }) => id))
      if (data.length < 7) {
        expect(total).toBe(ids.length)
        return ids
      }
    }
  }
  expect(await listed({})).toEqual(expected(() => true))
  for (const status of statuses) expect(await listed({ status })).toEqual(expected((row) => row.status === status))
  expect(await listed({ node_id: 'n1' })).toEqual(expected(({ node_id }) => node_id === 'n1'))
})

test('executions at a node are counted up to a limit, without tests, whatever their status', async () => {
  const scope = merchant.scope()
  const scenarioId = await addScenario(scope, flowOf([asleep]))
  const add = (count: number, row: { node: string; status: string; test?: boolean; ended?: boolean }) =>
    sql`insert into executions (merchant_id, id, scenario_id, version, status, node_id, test, created_at, ended_at)
      select ${merchant.id}, gen_random_uuid(), ${scenarioId}, 1, ${row.status}, ${row.node}, ${row.test ?? false}, ${scope.now},
        ${row.ended ? scope.now : null} from generate_series(1, ${count}::int)`.execute(scope.db)
  await add(EXECUTIONS_COUNTED_TO + 5, { node: 'many', status: 'running' })
  await add(3, { node: 'many', status: 'paused' })
  await add(2, { node: 'few', status: 'late' })
  await add(4, { node: 'few', status: 'paused' })
  await add(1, { node: 'few', status: 'failed' })
  await add(6, { node: 'few', status: 'running', test: true })
  await add(7, { node: 'few', status: 'done', ended: true })
  await add(3, { node: 'tested', status: 'running', test: true })
  await sql`insert into scenario_node_counts (merchant_id, scenario_id, node_id, entered, passed)
    values (${merchant.id}, ${scenarioId}, 'few', 20, 9), (${merchant.id}, ${scenarioId}, 'passed', 3, 3)`.execute(
    scope.db,
  )
  const { counts } = await merchant.call(getFlow, { params: { id: scenarioId } })
  expect(
    counts.map(({ node_id, entered, passed, waiting, failed }) => [node_id, entered, passed, waiting, failed]),
  ).toEqual([
    ['few', 20, 9, 6, 1],
    ['many', 0, 0, EXECUTIONS_COUNTED_TO, 0],
    ['passed', 3, 3, 0, 0],
  ])
})

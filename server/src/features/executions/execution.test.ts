import { changeSettings } from '@okaeri/contract/merchants/routes'
import {
  changeExecution,
  deleteExecution,
  getExecution,
  listExecutions,
  pauseExecution,
  playExecution,
  resolveExecution,
  restartExecution,
  sendLateOnes,
  skipLateOnes,
} from '@okaeri/contract/scenarios/execution'
import type { StepError } from '@okaeri/contract/scenarios/execution-status'
import { checkScenarios, deleteScenario, listScenarios } from '@okaeri/contract/scenarios/routes'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { addCustomers, addEmail, setSendingHours } from '../../../test/fixtures.ts'
import { untilWaiting } from '../../../test/locks.ts'
import {
  addEvent,
  addExecutions,
  addScenario,
  endNode as end,
  executionOf,
  flowOf,
  mailNode as mail,
  pathOf,
  type PlainNode,
  startExecutions,
  waitNode,
} from '../../../test/scenarios.ts'
import { merchant, okaeri, withMerchants } from '../../../test/with-okaeri.ts'
import { newId } from '../../kernel/ids.ts'
import { refreshSearch } from '../customers/index.ts'
import { resumeStopped } from './bulk-change.ts'
import { endExecutions } from './ending.ts'
import { joinExecutions, mergeExecutions } from '../entering/customer-merge.ts'
import { updateScenario } from '../flows/queries.ts'
import { wakeByEvents } from './step-queries.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
withMerchants()

const wait = (id: string, next: string | null, days = 3): PlainNode => waitNode(id, next, days)
const start = (nodes: readonly PlainNode[], count?: number) => startExecutions(merchant.scope(), nodes, count)
const detail = (id: string) => executionOf(merchant, id)
const path = (id: string) => pathOf(merchant, id)
const forbidden = { code: 'conflict', reason: 'execution_status_forbids' }

test('a paused execution sleeps through its wake-up, and continues at once when it is played', async () => {
  const { id } = await start([wait('w', 'e'), end('e')])
  await okaeri.settle()
  await merchant.call(pauseExecution, { params: { id } })
  await expect(merchant.call(pauseExecution, { params: { id } })).rejects.toMatchObject(forbidden)
  okaeri.advance(4 * DAY)
  await okaeri.settle()
  expect(await detail(id)).toMatchObject({ status: 'paused', node: { id: 'w' } })
  await merchant.call(playExecution, { params: { id } })
  await okaeri.settle()
  expect(await path(id)).toEqual(['w asleep', 'w paused', 'w played', 'w next', 'e ended'])
})

test('a restarted execution begins again on the current version, in another round', async () => {
  const { id } = await start([wait('w', null)])
  await okaeri.settle()
  okaeri.advance(3 * DAY)
  await okaeri.settle()
  expect(await detail(id)).toMatchObject({ status: 'done', round: 1 })
  await merchant.call(restartExecution, { params: { id } })
  await okaeri.settle()
  expect(await detail(id)).toMatchObject({ status: 'running', round: 2, end_reason: null, node: { id: 'w' } })
  await expect(merchant.call(resolveExecution, { params: { id } })).rejects.toMatchObject(forbidden)
})

test('a restart pressed in two tabs writes to the customer once', async () => {
  const { id } = await start([mail('m', await addEmail(merchant.scope()), null)])
  await okaeri.settle()
  const { round } = await detail(id)
  const restart = () => merchant.call(restartExecution, { params: { id }, body: { round } })
  const presses = await Promise.allSettled([restart(), restart()])
  await okaeri.settle()
  expect(presses.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  // Nor by a tab that was left open.
  await expect(restart()).rejects.toMatchObject({ reason: 'execution_restarted_meanwhile' })
  expect(await detail(id)).toMatchObject({ round: round + 1 })
})

test('restarting or deleting an execution cancels its unsent mails', async () => {
  const { ids } = await start([mail('m', await addEmail(merchant.scope()), 'w'), wait('w', null)], 2)
  const [restarted = '', deleted = ''] = ids
  // No worker sends mails in these tests: they stay pending.
  await okaeri.settle()
  await merchant.call(restartExecution, { params: { id: restarted } })
  await merchant.call(deleteExecution, { params: { id: deleted } })
  await okaeri.settle()
  const left = async (id: string) =>
    (
      await sql<{ is: string }>`select case status when 'skipped' then reason else status end as is from deliveries
        where merchant_id = ${merchant.id} and execution_id = ${id} order by round`.execute(okaeri.context.db)
    ).rows.map(({ is }) => is)
  expect(await left(restarted)).toEqual(['cancelled', 'pending'])
  expect(await left(deleted)).toEqual(['cancelled'])
})

test('a wake-up can be moved, and an execution can be deleted with its history', async () => {
  const { id } = await start([wait('w', null)])
  await okaeri.settle()
  const wake_at = new Date(okaeri.clock.now().getTime() + HOUR).toISOString()
  const { execution } = await merchant.call(changeExecution, { params: { id }, body: { wake_at } })
  expect(execution.wake_at).toBe(wake_at)
  okaeri.advance(HOUR)
  await okaeri.settle()
  expect(await detail(id)).toMatchObject({ status: 'done' })
  await merchant.call(deleteExecution, { params: { id } })
  await expect(merchant.call(getExecution, { params: { id } })).rejects.toMatchObject({ code: 'not_found' })
  const { rows } = await sql`select from execution_steps where merchant_id = ${merchant.id}`.execute(okaeri.context.db)
  expect(rows).toEqual([])
})

test('the list names the last mail and the next one, and can be filtered and searched', async () => {
  const emailId = await addEmail(merchant.scope())
  const { ids, scenarioId, id } = await start([mail('m', emailId, 'w'), wait('w', 'n'), mail('n', emailId, null)], 3)
  await okaeri.settle()
  const query = { action_id: scenarioId, status: 'running', node_id: 'w', test: 'false' } as const
  const { data, total } = await merchant.call(listExecutions, { query })
  expect(total).toBe(3)
  expect(data.map((row) => row.id)).toEqual(ids.toReversed())
  // No worker sends mails in these tests: it has not left.
  expect(data[0]).toMatchObject({ sent_content: null, next_content: '春のお知らせ', scenario: { id: scenarioId } })
  await sql`update deliveries set status = case when execution_id = ${ids[0]} then 'skipped' else 'sent' end
    where merchant_id = ${merchant.id} and scenario_id = ${scenarioId}`.execute(okaeri.context.db)
  await sql`update executions set held_out = true where merchant_id = ${merchant.id} and id = ${ids[1]}`.execute(
    okaeri.context.db,
  )
  expect((await merchant.call(listExecutions, { query })).data).toMatchObject([
    { sent_content: '春のお知らせ', next_content: '春のお知らせ' },
    // In the hold-out group, nothing will be sent.
    { id: ids[1], next_content: null },
    // Skipped: nothing was sent.
    { id: ids[0], sent_content: null, next_content: '春のお知らせ' },
  ])
  await refreshSearch.run(merchant.scope(), {})
  const found = await merchant.call(listExecutions, { query: { q: '山田0' } })
  expect(found.data.map((row) => row.id)).toEqual([id])
  expect((await merchant.call(listExecutions, { query: { status: 'failed' } })).total).toBe(0)
  await sql`update executions set status = case when id = ${ids[2]} then 'resolved' else 'failed' end, last_error = 'email_gone'
    where merchant_id = ${merchant.id} and id <> ${ids[0]}`.execute(okaeri.context.db)
  const failedBy = async (error: StepError) =>
    (await merchant.call(listExecutions, { query: { action_id: scenarioId, error } })).data.map((row) => row.id)
  expect(await failedBy('email_gone')).toEqual([ids[1]])
  expect(await failedBy('store_refused')).toEqual([])
})

test('no execution wakes while the scenario is stopped; enabled within a day they continue, later they ask', async () => {
  const { id, scenarioId } = await start([wait('w', 'x', 1), wait('x', null, 1)])
  await okaeri.settle()
  const scope = () => merchant.scope()
  await updateScenario(scope(), scenarioId, { status: 'stopped' })
  okaeri.advance(DAY + HOUR)
  await okaeri.settle()
  expect(await detail(id)).toMatchObject({ status: 'running', node: { id: 'w' } })
  const enable = () =>
    scope().transaction(async (scope) => {
      await updateScenario(scope, scenarioId, { status: 'active' })
      await resumeStopped(scope, scenarioId)
    })
  await enable()
  await okaeri.settle()
  expect(await detail(id)).toMatchObject({ status: 'running', node: { id: 'x' } })
  await updateScenario(scope(), scenarioId, { status: 'stopped' })
  okaeri.advance(3 * DAY)
  await okaeri.settle()
  await enable()
  await okaeri.settle()
  expect(await detail(id)).toMatchObject({ status: 'late', node: { id: 'x' } })
  expect(await merchant.call(sendLateOnes, { params: { id: scenarioId } })).toEqual({ count: 1 })
  await okaeri.settle()
  expect(await detail(id)).toMatchObject({ status: 'done', end_reason: 'finished' })
})

test('an execution found more than a day late asks, also after the clock was moved; within the day it continues', async () => {
  const { ids, scenarioId } = await start([wait('w', 'x', 1), wait('x', null, 30)], 4)
  await okaeri.settle()
  const { db, clock } = okaeri.context
  okaeri.advance(4 * DAY)
  expect((await merchant.call(listExecutions, { query: { status: 'late' } })).total).toBe(0)
  // One of them would have woken only just now.
  await sql`update executions set wake_at = ${new Date(clock.now().getTime() - HOUR)}
    where merchant_id = ${merchant.id} and id = ${ids[3]}`.execute(db)
  await okaeri.settle()
  expect((await merchant.call(listExecutions, { query: { status: 'late' } })).total).toBe(3)
  expect(await detail(ids[3] ?? '')).toMatchObject({ node: { id: 'x' } })
  await merchant.call(playExecution, { params: { id: ids[0] ?? '' } })
  await okaeri.settle()
  expect(await detail(ids[0] ?? '')).toMatchObject({ status: 'running', node: { id: 'x' } })
  expect(await merchant.call(skipLateOnes, { params: { id: scenarioId } })).toEqual({ count: 2 })
  expect(await detail(ids[1] ?? '')).toMatchObject({ status: 'done', end_reason: 'late_skipped' })
})

test('an awaited event wakes, whether it comes during the wait or just before; otherwise the time runs out', async () => {
  const awaits: PlainNode = {
    id: 'a',
    kind: 'wait_for_event',
    settings: { event: 'order_paid', amount: 2, unit: 'days' },
    next: { happened: 'e', timed_out: null },
  }
  const { ids, customerIds } = await start([awaits, end('e')], 3)
  const [during = '', before = '', never = ''] = ids
  // Not processed yet when the execution comes to the node.
  await addEvent(merchant.scope(), {
    kind: 'order_paid',
    customerId: customerIds[1] ?? '',
    occurredAt: okaeri.clock.now(),
  })
  await okaeri.settle()
  expect(await path(before)).toEqual(['a happened', 'e ended'])
  okaeri.advance(DAY)
  const customerId = customerIds[0] ?? ''
  await addEvent(merchant.scope(), { kind: 'order_paid', customerId })
  await wakeByEvents(merchant.scope(), { kind: 'order_paid', customerIds: [customerId] })
  await okaeri.settle()
  expect(await path(during)).toEqual(['a asleep', 'a happened', 'e ended'])
  expect(await path(never)).toEqual(['a asleep'])
  okaeri.advance(DAY)
  await okaeri.settle()
  expect(await path(never)).toEqual(['a asleep', 'a timed_out', 'a ended'])
})

test('an execution that ended early sends nothing more, not even a mail that waits for the sending hours', async () => {
  await setSendingHours(merchant.scope(), 3, 4)
  const emailId = await addEmail(merchant.scope())
  const { id } = await start([mail('m', emailId, 'w'), wait('w', null)])
  await okaeri.settle()
  await merchant.scope().transaction((scope) => endExecutions(scope, [{ executionId: id, reason: 'bought' }]))
  expect(await detail(id)).toMatchObject({ status: 'done', end_reason: 'bought' })
  const { rows } = await sql`select status, reason from deliveries where merchant_id = ${merchant.id}`.execute(
    okaeri.context.db,
  )
  expect(rows).toEqual([{ status: 'skipped', reason: 'cancelled' }])
})

test('an execution can be resolved while another transaction holds its mail and wants the execution', async () => {
  await setSendingHours(merchant.scope(), 3, 4)
  const { id } = await start([mail('m', await addEmail(merchant.scope()), 'w'), wait('w', null)])
  await okaeri.settle()
  await sql`update executions set status = 'failed' where merchant_id = ${merchant.id} and id = ${id}`.execute(
    okaeri.context.db,
  )
  const { resolving } = await merchant.scope().transaction(async (scope) => {
    // So that the other transaction is the one that is ended.
    await sql`set local deadlock_timeout = '60s'`.execute(scope.db)
    await sql`select from deliveries where merchant_id = ${merchant.id} for update`.execute(scope.db)
    const resolving = merchant.call(resolveExecution, { params: { id } })
    await untilWaiting(okaeri)
    await sql`select from executions where merchant_id = ${merchant.id} and id = ${id} for update`.execute(scope.db)
    return { resolving }
  })
  await resolving
  expect(await detail(id)).toMatchObject({ status: 'resolved' })
})

test('when the merchant’s zone changes, a wait until ten o’clock ends at ten o’clock there', async () => {
  const { id } = await start([
    { id: 'w', kind: 'wait', settings: { wait: { mode: 'until_time', time: '10:00' } }, next: { next: null } },
  ])
  await okaeri.settle()
  const hourIn = async (timeZone: string): Promise<string> =>
    new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' }).format(
      new Date((await detail(id)).wake_at ?? 0),
    )
  expect(await hourIn('Asia/Tokyo')).toBe('10:00')
  await merchant.call(changeSettings, { body: { userSetting: { timezone: 'Europe/London' } } })
  await okaeri.settle()
  expect(await hourIn('Europe/London')).toBe('10:00')
  // A wake-up that a member moved stays.
  const wake_at = new Date(okaeri.clock.now().getTime() + 50 * HOUR).toISOString()
  await merchant.call(changeExecution, { params: { id }, body: { wake_at } })
  await merchant.call(changeSettings, { body: { userSetting: { timezone: 'Asia/Tokyo' } } })
  await okaeri.settle()
  expect((await detail(id)).wake_at).toBe(wake_at)
  okaeri.advance(50 * HOUR)
  await okaeri.settle()
  expect(await detail(id)).toMatchObject({ status: 'done' })
})

test.each(['customers', 'guests'] as const)('two %s who turn out to be one person continue once', async (who) => {
  const scope = merchant.scope()
  const [into = '', from = ''] = await addCustomers(scope, [{}, {}])
  const guestId = newId()
  const begin = async (mode: 'always' | 'when_none_runs') => {
    const scenarioId = await addScenario(scope, flowOf([wait('w', null)], { reentry: { mode } }))
    const [kept = '', other = ''] = await addExecutions(scope, scenarioId, [
      { customerId: into },
      who === 'customers' ? { customerId: from } : { customerId: null, guestId },
    ])
    return { kept, other }
  }
  const one = await begin('when_none_runs')
  const each = await begin('always')
  await okaeri.settle()
  if (who === 'customers') await mergeExecutions(scope, { fromId: from, intoId: into })
  else await joinExecutions(scope, { guestId, customerId: into })
  expect(await detail(one.other)).toMatchObject({ status: 'done', end_reason: 'customer_gone' })
  for (const id of [one.kept, each.kept, each.other])
    expect(await detail(id)).toMatchObject({ status: 'running', customer: { id: into } })
})

test('a scenario can be deleted while entering holds what the deletion wants and waits for it', async () => {
  const { id, scenarioId } = await start([wait('w', null)])
  await okaeri.settle()
  await updateScenario(merchant.scope(), scenarioId, { status: 'stopped' })
  const deleting = await merchant.scope().transaction(async (scope) => {
    // So that the other transaction is the one that is ended.
    await sql`set local deadlock_timeout = '60s'`.execute(scope.db)
    await endExecutions(scope, [{ executionId: id, reason: 'bought' }])
    const deleting = merchant.call(deleteScenario, { params: { id: scenarioId } })
    await untilWaiting(okaeri)
    await sql`select from scenarios where merchant_id = ${merchant.id} and id = ${scenarioId} for update`.execute(
      scope.db,
    )
    return { deleting }
  })
  await deleting.deleting
  expect(await path(id)).toEqual(['w asleep', 'w ended'])
})

test('a page counts up to ten thousand executions and says that there are more; failed and late ones are counted too', async () => {
  const { scenarioId } = await start([wait('w', null)])
  const { scenarioId: small } = await start([wait('w', null)], 2)
  const { rows } = await sql<{ id: string }>`
    insert into executions (merchant_id, id, scenario_id, version, status, ended_at, created_at)
    select ${merchant.id}, gen_random_uuid(), ${scenarioId}, 1, case when n <= 3 then 'failed' else 'done' end,
      case when n > 3 then now() end, now()
    from generate_series(1, 10100) as n returning id`.execute(okaeri.context.db)
  expect(rows).toHaveLength(10_100)
  const { data } = await merchant.call(listScenarios, { query: { sort: 'execution_count', direction: 'desc' } })
  expect(data).toMatchObject([
    { id: scenarioId, execution_count: 10_000, execution_count_exact: false, running_count: 1, failed_count: 3 },
    { id: small, execution_count: 2, execution_count_exact: true, running_count: 2, failed_count: 0, late_count: 0 },
  ])
  const { actions } = await merchant.call(checkScenarios, {})
  expect(actions.find(({ id }) => id === scenarioId)).toMatchObject({ failed_count: 3, late_count: 0 })
  const of = { action_id: scenarioId }
  expect(await merchant.call(listExecutions, { query: of })).toMatchObject({ total: 10_000 })
  expect(await merchant.call(listExecutions, { query: { ...of, status: 'failed' } })).toMatchObject({ total: 3 })
  // Deeper pages exist.
  expect((await merchant.call(listExecutions, { query: { ...of, offset: 10_099 } })).data).toHaveLength(2)
})

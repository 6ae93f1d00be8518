import type { Flow } from '@okaeri/contract/scenarios/flow/flow'
import { previewMove } from '@okaeri/contract/scenarios/flow/moving'
import { saveFlow, getFlow } from '@okaeri/contract/scenarios/routes'
import { expect, test } from 'vitest'
import { addCustomers } from '../../../test/fixtures.ts'
import { addExecutions, addScenario, executionOf, flowOf, mailNode, pathOf, waitNode } from '../../../test/scenarios.ts'
import { okaeri, withOkaeri } from '../../../test/with-okaeri.ts'
import { anEmail } from '../../../test/builders/email.ts'
import { moveExecutions } from './moving.ts'

withOkaeri()

const DAY_MS = 86_400_000

/** A day at a time: an execution more than a day late would ask first. */
async function goOn(days: number): Promise<void> {
  for (let day = 0; day < days; day += 1) {
    okaeri.advance(DAY_MS)
    await okaeri.settle()
  }
}

/** Two executions: `early` in the first wait; `late` in the second, after the first mail. */
async function shop() {
  const merchant = await okaeri.merchant()
  await okaeri.query`update merchants set plan = 'pro', trial_ends_at = null where id = ${merchant.id}`
  const email = await anEmail(merchant, { name: 'お礼', subject: 'お礼' })
  const before = flowOf([
    waitNode('first', 'thanks', 1),
    mailNode('thanks', email.id, 'second'),
    waitNode('second', 'tips', 10),
    mailNode('tips', email.id, null),
  ])
  const scope = merchant.scope()
  const id = await addScenario(scope, before)
  const customers = await addCustomers(scope, [{}, {}])
  const [late] = await addExecutions(scope, id, [{ customerId: customers[0] ?? '' }])
  await okaeri.settle()
  okaeri.advance(DAY_MS + 1000)
  await okaeri.settle()
  const [early] = await addExecutions(merchant.scope(), id, [{ customerId: customers[1] ?? '' }])
  await okaeri.settle()
  const save = async (flow: Flow, move: boolean) => {
    const { version } = await merchant.call(getFlow, { params: { id } })
    return merchant.call(saveFlow, { params: { id }, body: { flow, version_seen: version, move } })
  }
  const preview = async (flow: Flow) => (await merchant.call(previewMove, { params: { id }, body: { flow } })).moving
  const mailsOf = async (executionId: string) =>
    (
      await okaeri.query<{ node_id: string }>`select node_id from deliveries
        where merchant_id = ${merchant.id} and execution_id = ${executionId} order by id`
    ).map(({ node_id }) => node_id)
  return { merchant, emailId: email.id, id, before, early: early ?? '', late: late ?? '', save, preview, mailsOf }
}

test('executions stay on the old version, unless they are moved', async () => {
  const { merchant, emailId, before, early, save, preview, mailsOf } = await shop()
  const shorter: Flow = {
    ...before,
    nodes: flowOf([waitNode('first', 'thanks', 1), mailNode('thanks', emailId, null)]).nodes,
  }
  expect(await preview(before)).toMatchObject({ on_their_way: 0 })
  expect(await preview(shorter)).toEqual({ on_their_way: 2, exact: true, go_on: 1, at_removed: 1, would_repeat: 0 })
  await save(shorter, false)
  await okaeri.settle()
  expect(await executionOf(merchant, early)).toMatchObject({ version: 1 })
  await goOn(13)
  expect(await mailsOf(early)).toEqual(['thanks', 'tips'])
})

test('saved once without moving, executions are moved when the same flow is saved again to move them', async () => {
  const { merchant, emailId, before, early, late, save } = await shop()
  const shorter: Flow = {
    ...before,
    nodes: flowOf([waitNode('first', 'thanks', 1), mailNode('thanks', emailId, null)]).nodes,
  }
  await save(shorter, false)
  await okaeri.settle()
  expect(await executionOf(merchant, early)).toMatchObject({ version: 1 })
  await save(shorter, true)
  await okaeri.settle()
  expect(await executionOf(merchant, early)).toMatchObject({ version: 2, node: { id: 'first' } })
  expect(await executionOf(merchant, late)).toMatchObject({ version: 1 })
})

test('executions at a step that still exists continue in the new version; those at a removed step finish on theirs', async () => {
  const { merchant, emailId, before, early, late, save, preview, mailsOf } = await shop()
  const shorter: Flow = {
    ...before,
    nodes: flowOf([waitNode('first', 'thanks', 1), mailNode('thanks', emailId, null)]).nodes,
  }
  const wakeAt = (await executionOf(merchant, early)).wake_at
  await save(shorter, true)
  await okaeri.settle()
  expect(await executionOf(merchant, early)).toMatchObject({ version: 2, node: { id: 'first' }, wake_at: wakeAt })
  expect(await executionOf(merchant, late)).toMatchObject({ version: 1, node: { id: 'second' } })
  expect((await pathOf(merchant, early)).at(-1)).toBe('first version')
  expect(await preview(before)).toMatchObject({ on_their_way: 2 })
  await goOn(11)
  expect(await mailsOf(early)).toEqual(['thanks'])
  expect(await mailsOf(late)).toEqual(['thanks', 'tips'])
})

test('no one gets a mail twice', async () => {
  const { merchant, emailId, before, early, late, save, preview, mailsOf } = await shop()
  // The thanks now come after the second wait.
  const turned: Flow = {
    ...before,
    nodes: flowOf([
      waitNode('first', 'tips', 1),
      mailNode('tips', emailId, 'second'),
      waitNode('second', 'thanks', 10),
      mailNode('thanks', emailId, null),
    ]).nodes,
  }
  expect(await preview(turned)).toEqual({ on_their_way: 2, exact: true, go_on: 1, at_removed: 0, would_repeat: 1 })
  await save(turned, true)
  await okaeri.settle()
  expect((await executionOf(merchant, early)).version).toBe(2)
  expect((await executionOf(merchant, late)).version).toBe(1)
  await goOn(13)
  expect(await mailsOf(early)).toEqual(['tips', 'thanks'])
  expect(await mailsOf(late)).toEqual(['thanks', 'tips'])
})

test('moving twice, or from two processes, changes nothing more', async () => {
  const { merchant, id, before, early, save } = await shop()
  await save({ ...before, nodes: before.nodes.map((node) => ({ ...node, name: '新' })) }, true)
  await okaeri.settle()
  const { steps } = await executionOf(merchant, early)
  await Promise.all([1, 2].map(() => moveExecutions.run(merchant.scope(), { scenarioId: id, version: 2 })))
  expect(steps.map(({ outcome }) => outcome)).toEqual(['asleep', 'version'])
  expect((await executionOf(merchant, early)).steps).toEqual(steps)
})

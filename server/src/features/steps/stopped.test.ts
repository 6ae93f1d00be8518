import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { lateBefore } from '@okaeri/contract/late'
import { sendLateOnes, skipLateOnes } from '@okaeri/contract/scenarios/execution'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { untilWaiting } from '../../../test/locks.ts'
import { endNode, executionOf, type PlainNode, startExecutions } from '../../../test/scenarios.ts'
import { merchant, okaeri, withMerchants } from '../../../test/with-okaeri.ts'
import { advanceExecutions } from './time-slice.ts'
import { releaseEffects } from '../executions/effect-queries.ts'
import { resumeStopped } from '../executions/bulk-change.ts'
import { updateScenario } from '../flows/queries.ts'
import { deleteScenario } from '../scenarios/scenario.ts'

// What a scenario wants done outside while it is stopped.

const HOUR = 3_600_000
const never = new AbortController().signal
let receiver: http.Server
let calls = 0
let url: string
withMerchants()
beforeAll(async () => {
  receiver = http.createServer((request, response) => {
    calls += 1
    request.resume()
    request.on('end', () => response.end('thanks'))
  })
  await new Promise<void>((listening) => receiver.listen(0, '127.0.0.1', listening))
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
})
afterAll(() => {
  receiver.closeAllConnections()
  receiver.close()
})
beforeEach(() => {
  calls = 0
})

/** At the webhook node, before any call. */
async function wishing() {
  const call: PlainNode = { id: 'c', kind: 'call_webhook', settings: { url }, next: { next: 'e' } }
  const started = await startExecutions(merchant.scope(), [call, endNode('e')])
  await advanceExecutions.run(okaeri.context, never)
  expect(await executionOf(merchant, started.id)).toMatchObject({ node: { id: 'c' }, status: 'running' })
  return started
}
const stop = (id: string): Promise<void> => updateScenario(merchant.scope(), id, { status: 'stopped' })
/** Enables it without checking the flow. */
const enable = (id: string): Promise<void> =>
  merchant.scope().transaction(async (scope) => {
    await updateScenario(scope, id, { status: 'active', enabled_at: scope.now })
    await releaseEffects(scope, id, lateBefore('scenario', scope.now))
    await resumeStopped(scope, id)
  })

test('nothing is called for a stopped scenario until it is enabled again', async () => {
  const { id, scenarioId } = await wishing()
  await stop(scenarioId)
  await okaeri.settle()
  okaeri.advance(HOUR)
  await okaeri.settle()
  expect(calls).toBe(0)
  await enable(scenarioId)
  await okaeri.settle()
  expect(calls).toBe(1)
  expect(await executionOf(merchant, id)).toMatchObject({ status: 'done' })
})

test.each(['send', 'skip'] as const)('a call that waited for more than a day asks first: %s', async (answer) => {
  const { id, scenarioId } = await wishing()
  await stop(scenarioId)
  await okaeri.settle()
  okaeri.advance(30 * HOUR)
  await enable(scenarioId)
  await okaeri.settle()
  expect(calls).toBe(0)
  expect(await executionOf(merchant, id)).toMatchObject({ status: 'late', node: { id: 'c' } })
  await merchant.call(answer === 'send' ? sendLateOnes : skipLateOnes, { params: { id: scenarioId } })
  await okaeri.settle()
  expect(calls).toBe(answer === 'send' ? 1 : 0)
  expect(await executionOf(merchant, id)).toMatchObject({
    status: 'done',
    end_reason: answer === 'send' ? 'finished' : 'late_skipped',
  })
})

test('a stopped scenario that is deleted leaves no calls behind', async () => {
  const { id, scenarioId } = await wishing()
  await stop(scenarioId)
  await okaeri.settle()
  await deleteScenario(merchant.scope(), scenarioId)
  await okaeri.settle()
  const { rows } = await sql`select from execution_effects where merchant_id = ${merchant.id}`.execute(
    okaeri.context.db,
  )
  expect([rows.length, calls]).toEqual([0, 0])
  expect(await executionOf(merchant, id)).toMatchObject({ status: 'done', end_reason: 'stopped' })
})

test('when a scenario is enabled while a worker looks for due work, nothing stays held', async () => {
  const { id, scenarioId } = await wishing()
  await stop(scenarioId)
  const { settled } = await merchant.scope().transaction(async (scope) => {
    await updateScenario(scope, scenarioId, { status: 'active', enabled_at: scope.now })
    await releaseEffects(scope, scenarioId, lateBefore('scenario', scope.now))
    await resumeStopped(scope, scenarioId)
    const settled = okaeri.settle()
    await untilWaiting(okaeri)
    return { settled }
  })
  await settled
  await okaeri.settle()
  expect(calls).toBe(1)
  expect(await executionOf(merchant, id)).toMatchObject({ status: 'done' })
})

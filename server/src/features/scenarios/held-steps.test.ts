import { checkScenarios, getScenario, stopScenario, enableScenario } from '@okaeri/contract/scenarios/routes'
import { releaseHeldStep } from '@okaeri/contract/scenarios/step-circuit-breaker'
import { beforeEach, expect, test } from 'vitest'
import { addCustomers, addEmail } from '../../../test/fixtures.ts'
import type { TestMerchant } from '../../../test/harness.ts'
import { refusal } from '../../../test/refusal.ts'
import {
  addExecutions,
  addScenario,
  endNode,
  executionOf,
  flowOf,
  mailNode,
  waitNode,
} from '../../../test/scenarios.ts'
import { okaeri } from '../../../test/with-okaeri.ts'
import { gotBy, sink, withSink } from '../../../test/with-sink.ts'
import { recordReport } from '../bounces/bounce.ts'
import { recordBounces } from '../channels/email/bounces.ts'

withSink()

const PEOPLE = 120
const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

let merchant: TestMerchant
let scenarioId: string
let number = 0
const nameOf = (at: number): string => `${number}-${at}@step-brake.test`

/** A scenario that mails, waits, and mails again; people have got the first mail. */
beforeEach(async () => {
  number += 1
  merchant = await okaeri.merchant()
  const emailId = await addEmail(merchant.scope())
  const nodes = [
    mailNode('m', emailId, 'w'),
    waitNode('w', 'n', 20, 'hours'),
    mailNode('n', emailId, 'e'),
    endNode('e'),
  ]
  scenarioId = await addScenario(merchant.scope(), flowOf(nodes))
  sink.reset()
  await comeIn(0, PEOPLE)
  await okaeri.settle()
})
async function comeIn(from: number, count: number): Promise<string[]> {
  const customers = await addCustomers(
    merchant.scope(),
    Array.from({ length: count }, (_, at) => ({ email: nameOf(from + at) })),
  )
  return addExecutions(
    merchant.scope(),
    scenarioId,
    customers.map((customerId) => ({ customerId })),
  )
}
const deliveriesOf = async (node = 'm'): Promise<string[]> =>
  (
    await okaeri.query<{
      id: string
    }>`select id from deliveries where merchant_id = ${merchant.id} and scenario_id = ${scenarioId}
      and node_id = ${node} and status = 'sent' order by id`
  ).map(({ id }) => id)
/** As mails that came back or were complained about. */
async function comesBack(verdict: 'hard' | 'complaint', count: number): Promise<void> {
  for (const deliveryId of (await deliveriesOf()).slice(0, count))
    await recordReport(merchant.scope(), {
      deliveryId,
      reports: [
        {
          verdict,
          isDoubted: false,
          isDelay: false,
          recipient: null,
          originalRecipient: null,
          status: null,
          server: null,
          diagnostic: null,
        },
      ],
      way: 'smtp',
      matchedBy: 'return_path',
      evidence: '',
      writtenAt: null,
    })
}
async function later(ms: number): Promise<void> {
  okaeri.advance(ms)
  await okaeri.settle()
}
const heldSteps = async () => (await merchant.call(getScenario, { params: { id: scenarioId } })).action.held_steps
const release = (node_id = 'm') => merchant.call(releaseHeldStep, { params: { id: scenarioId }, body: { node_id } })
const ownerGot = (): number => gotBy(`${merchant.id}@shop.test`)

test('too many bounces hold a step: people wait at it, the owner hears of it once, and a person lets it go on', async () => {
  await comesBack('hard', 12)
  await later(6 * MINUTE)
  expect(await heldSteps()).toMatchObject([{ node_id: 'm', result: { tried: PEOPLE, hard: 12 }, waiting: 0 }])
  expect(ownerGot()).toBe(1)
  expect((await merchant.call(checkScenarios, {})).actions).toMatchObject([{ id: scenarioId, held_steps_count: 1 }])
  const [newcomer = ''] = await comeIn(PEOPLE, 3)
  for (let hours = 0; hours < 60; hours += 20) await later(20 * 60 * MINUTE)
  expect(gotBy(nameOf(PEOPLE))).toBe(0)
  expect(await executionOf(merchant, newcomer)).toMatchObject({ status: 'running' })
  expect(await heldSteps()).toMatchObject([{ waiting: 3 }])
  expect(await release()).toEqual({ count: 3 })
  await okaeri.settle()
  expect(gotBy(nameOf(PEOPLE))).toBe(1)
  expect(await heldSteps()).toEqual([])
  expect(ownerGot()).toBe(1)
  expect(await refusal(release())).toMatchObject({ reason: 'step_not_held' })
})

test('after a person let it go on, only what was written since is looked at', async () => {
  await comesBack('hard', 12)
  await later(6 * MINUTE)
  await release()
  await comesBack('complaint', 20)
  await later(6 * MINUTE)
  expect(await heldSteps()).toEqual([])
})

test('two complaints of a hundred are enough; one bounce more than usual of few is not', async () => {
  await comesBack('hard', 5)
  await later(6 * MINUTE)
  expect(await heldSteps()).toEqual([])
  await comesBack('complaint', 2)
  await later(6 * MINUTE)
  expect(await heldSteps()).toMatchObject([{ result: { complaints: 2 } }])
})

test('addresses that a server refuses at once count as well, and other steps go on', async () => {
  const ids = await deliveriesOf()
  const about = { isHard: true, detail: '550 no such user', status: '5.1.1' }
  await recordBounces(
    merchant.scope(),
    ids.slice(0, 10).map((deliveryId, at) => ({ ...about, deliveryId, address: nameOf(at) })),
  )
  await later(6 * MINUTE)
  expect(await heldSteps()).toMatchObject([{ node_id: 'm', result: { hard: 10 } }])
  await later(20 * 60 * MINUTE)
  expect(gotBy(nameOf(PEOPLE - 1))).toBe(2)
})

test('what was written and had not left is held with it; what waited for more than a day is too late', async () => {
  const [early = '', late = ''] = (await deliveriesOf()).slice(-2)
  await comesBack('hard', 12)
  await okaeri.query`update deliveries set status = 'pending', sent_at = null, attempts = 0 where merchant_id = ${merchant.id} and id in (${early}, ${late})`
  await okaeri.query`update messages set state = 'held' where merchant_id = ${merchant.id} and scenario_id = ${scenarioId}`
  await later(6 * MINUTE)
  expect(await heldSteps()).toMatchObject([{ waiting: 2 }])
  await later(2 * DAY)
  await okaeri.query`update deliveries set created_at = ${okaeri.clock.now()} where merchant_id = ${merchant.id} and id = ${late}`
  await release()
  await okaeri.settle()
  const rows =
    await okaeri.query`select status, reason from deliveries where merchant_id = ${merchant.id} and id in (${early}, ${late}) order by id`
  expect(rows).toEqual([
    { status: 'skipped', reason: 'expired' },
    { status: 'sent', reason: null },
  ])
})

test('stopping and enabling the scenario lets no held step go on', async () => {
  await comesBack('hard', 12)
  await later(6 * MINUTE)
  await merchant.call(stopScenario, { params: { id: scenarioId } })
  await merchant.call(enableScenario, { params: { id: scenarioId } })
  await comeIn(PEOPLE, 1)
  await later(2 * MINUTE)
  expect(gotBy(nameOf(PEOPLE))).toBe(0)
  expect(await heldSteps()).toMatchObject([{ waiting: 1 }])
})

test('the step of another merchant is not there', async () => {
  await comesBack('hard', 12)
  await later(6 * MINUTE)
  const other = await okaeri.merchant()
  const answer = other.call(releaseHeldStep, { params: { id: scenarioId }, body: { node_id: 'm' } })
  expect(await refusal(answer)).toMatchObject({ code: 'not_found' })
  expect(await heldSteps()).toHaveLength(1)
})

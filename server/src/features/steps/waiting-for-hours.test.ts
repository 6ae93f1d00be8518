import { changeSettings } from '@okaeri/contract/merchants/routes'
import { changeExecution } from '@okaeri/contract/scenarios/execution'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { addCustomers, addEmail, setSendingHours } from '../../../test/fixtures.ts'
import type { TestMerchant } from '../../../test/harness.ts'
import { got, withScenarioMail } from '../../../test/scenario-mail.ts'
import {
  addEvent,
  addExecutions,
  addScenario,
  endNode,
  executionOf,
  flowOf,
  mailNode,
  pathOf,
  type PlainNode,
  waitNode,
} from '../../../test/scenarios.ts'
import { okaeri } from '../../../test/with-okaeri.ts'

withScenarioMail()

const HOUR = 3_600_000
const untilNode = (id: string, time: string, next: string): PlainNode => ({
  id,
  kind: 'wait',
  settings: { wait: { mode: 'until_time', time } },
  next: { next },
})
const orderNode = (next: string): PlainNode => ({
  id: 'o',
  kind: 'wait_for_event',
  settings: { event: 'order_paid', amount: 1, unit: 'hours' },
  next: { happened: next, timed_out: next },
})

/** A merchant whose sending hours begin in about three hours, and end nine later. */
async function atNight(hours: { closesAfter?: number } = {}) {
  const merchant = await okaeri.merchant({ timezone: 'Asia/Tokyo' })
  await setSendingHours(merchant.scope(), 3, hours.closesAfter ?? 12)
  const opening = Math.floor(okaeri.clock.now().getTime() / HOUR) * HOUR + 3 * HOUR
  const advanceTo = async (at: number): Promise<void> => {
    okaeri.advance(at - okaeri.clock.now().getTime())
    await okaeri.settle()
  }
  return { merchant, opening, advanceTo }
}
async function start(
  merchant: TestMerchant,
  nodes: readonly PlainNode[],
  given: { test?: boolean; heldOut?: boolean } = {},
) {
  const scope = merchant.scope()
  const [customerId = ''] = await addCustomers(scope, [{ email: `${merchant.id}@night.test` }])
  const scenarioId = await addScenario(scope, flowOf([...nodes, endNode('e')]))
  const [id = ''] = await addExecutions(scope, scenarioId, [{ customerId, ...given }])
  await okaeri.settle()
  return { id, customerId, scenarioId }
}
/** How many mails of this merchant the server took. */
const takenOf = ({ id }: TestMerchant): number =>
  got.filter(({ recipients }) => recipients.includes(`${id}@night.test`)).length
const wakeOf = async (merchant: TestMerchant, id: string): Promise<number> =>
  Date.parse((await executionOf(merchant, id)).wake_at ?? '')
const twoMails = async (merchant: TestMerchant, ...between: PlainNode[]): Promise<PlainNode[]> => {
  const emailId = await addEmail(merchant.scope())
  return [mailNode('one', emailId, between[0]?.id ?? 'two'), ...between, mailNode('two', emailId, 'e')]
}

test('two mails with a wait between them do not leave together in the morning', async () => {
  const { merchant, opening, advanceTo } = await atNight()
  const { id } = await start(merchant, await twoMails(merchant, waitNode('w', 'two', 2, 'hours')))
  expect(await wakeOf(merchant, id)).toBe(opening + 2 * HOUR)
  const { steps } = await executionOf(merchant, id)
  expect(steps.at(-1)?.detail).toEqual({
    begins: new Date(opening).toISOString(),
    until: new Date(opening + 2 * HOUR).toISOString(),
  })
  await advanceTo(opening)
  expect(takenOf(merchant)).toBe(1)
  await advanceTo(opening + 2 * HOUR - 60_000)
  expect(takenOf(merchant)).toBe(1)
  await advanceTo(opening + 2 * HOUR)
  expect(takenOf(merchant)).toBe(2)
  expect(await pathOf(merchant, id)).toEqual(['one next', 'w asleep', 'w next', 'two next', 'e ended'])
})

test('a wait until a time of day before the sending hours is until that time a day later', async () => {
  const { merchant, opening } = await atNight()
  const time = new Date(opening + 8 * HOUR).toISOString().slice(11, 16)
  const { id } = await start(merchant, await twoMails(merchant, untilNode('w', time, 'two')))
  expect(await wakeOf(merchant, id)).toBe(opening + 23 * HOUR)
  // Calculated again in another zone, it begins with the same message.
  await merchant.call(changeSettings, { body: { userSetting: { timezone: 'Asia/Singapore' } } })
  await okaeri.settle()
  expect(await wakeOf(merchant, id)).toBe(opening + 24 * HOUR)
})

test('a wait after others counts from the message too; what the customer does meanwhile counts at once', async () => {
  const { merchant, opening } = await atNight()
  const scope = merchant.scope()
  const nodes = await twoMails(merchant, orderNode('w'), waitNode('w', 'two', 2, 'hours'))
  const { id, customerId } = await start(merchant, nodes)
  expect(await wakeOf(merchant, id)).toBe(opening + HOUR)
  okaeri.advance(60_000)
  await addEvent(scope, { kind: 'order_paid', customerId, occurredAt: okaeri.clock.now() })
  await merchant.call(changeExecution, {
    params: { id },
    body: { wake_at: new Date(okaeri.clock.now().getTime() + 1000).toISOString() },
  })
  okaeri.advance(2000)
  await okaeri.settle()
  expect(await pathOf(merchant, id)).toContain('o happened')
  expect(await wakeOf(merchant, id)).toBe(opening + 2 * HOUR)
})

test('where no message waits, a wait begins at once', async () => {
  const { merchant } = await atNight()
  const nodes = await twoMails(merchant, waitNode('w', 'two', 2, 'hours'))
  const heldOut = await start(merchant, nodes, { heldOut: true })
  expect(await wakeOf(merchant, heldOut.id)).toBeCloseTo(okaeri.clock.now().getTime() + 2 * HOUR, -5)
  const tested = await start(merchant, nodes, { test: true })
  expect(await pathOf(merchant, tested.id)).toEqual(['one next', 'w next', 'two next', 'e ended'])
  const first = await start(merchant, [waitNode('v', 'one', 2, 'hours'), ...nodes])
  expect(await wakeOf(merchant, first.id)).toBeCloseTo(okaeri.clock.now().getTime() + 2 * HOUR, -5)
  // Messages after a purchase leave at night.
  await sql`update merchants set sending_hours = jsonb_set(sending_hours, '{exclude_post_purchase}', 'true')
    where id = ${merchant.id}`.execute(okaeri.context.db)
  const exempt = await start(merchant, nodes)
  expect(await wakeOf(merchant, exempt.id)).toBeCloseTo(okaeri.clock.now().getTime() + 2 * HOUR, -5)
})

test('it goes on though the message is never sent', async () => {
  const { merchant, opening, advanceTo } = await atNight()
  const { id, customerId } = await start(merchant, await twoMails(merchant, waitNode('w', 'two', 2, 'hours')))
  await sql`update customers set marketing_state = 'withdrawn' where merchant_id = ${merchant.id} and id = ${customerId}`.execute(
    okaeri.context.db,
  )
  await advanceTo(opening)
  await advanceTo(opening + 2 * HOUR)
  expect(takenOf(merchant)).toBe(0)
  expect(await pathOf(merchant, id)).toContain('two next')
})

test('a message that could not leave before the sending hours ended puts the wait off, once', async () => {
  const { merchant, opening, advanceTo } = await atNight({ closesAfter: 4 })
  const nodes = await twoMails(merchant, waitNode('w', 'two', 2, 'hours'))
  const half = opening + HOUR / 2
  await advanceTo(half)
  const scope = merchant.scope()
  const [customerId = ''] = await addCustomers(scope, [{ email: 'slow@night.test' }])
  const scenarioId = await addScenario(scope, flowOf([...nodes, endNode('e')]))
  const [id = ''] = await addExecutions(scope, scenarioId, [{ customerId }])
  await okaeri.settle()
  expect(await wakeOf(merchant, id)).toBeCloseTo(half + 2 * HOUR, -5)
  // As if its server had refused it for now.
  await sql`update deliveries set status = 'pending', sent_at = null, next_attempt_at = ${new Date(opening + 90 * HOUR)}
    where merchant_id = ${merchant.id}`.execute(okaeri.context.db)
  await advanceTo(half + 2 * HOUR + 60_000)
  expect(await wakeOf(merchant, id)).toBe(opening + 26 * HOUR)
  // At night again, and still not sent: it goes on.
  await advanceTo(opening + 26 * HOUR)
  expect(await pathOf(merchant, id)).toEqual(['one next', 'w asleep', 'w asleep', 'w next', 'two next', 'e ended'])
})

test('a member who moves the wake-up has the last word', async () => {
  const { merchant, opening } = await atNight()
  const { id } = await start(merchant, await twoMails(merchant, waitNode('w', 'two', 2, 'hours')))
  await merchant.call(changeExecution, {
    params: { id },
    body: { wake_at: new Date(okaeri.clock.now().getTime() + 60_000).toISOString() },
  })
  okaeri.advance(60_000)
  await okaeri.settle()
  expect(okaeri.clock.now().getTime()).toBeLessThan(opening)
  expect(await pathOf(merchant, id)).toContain('two next')
})

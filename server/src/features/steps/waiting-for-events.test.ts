import type { EventKind } from '@okaeri/contract/scenarios/event'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { addCustomers, addEmail } from '../../../test/fixtures.ts'
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
  startExecutions,
} from '../../../test/scenarios.ts'
import { merchant, okaeri, withMerchants } from '../../../test/with-okaeri.ts'
import { recordEvents } from '../events/index.ts'
import { joinGuest, guestOf } from '../guests/index.ts'
import { advanceDue } from './time-slice.ts'
import { mergeExecutions } from '../entering/customer-merge.ts'
import { wakeByEvents } from '../executions/step-queries.ts'

const HOUR = 3_600_000
withMerchants()

const awaits = (id: string, happened: string | null, event: EventKind = 'order_paid'): PlainNode => ({
  id,
  kind: 'wait_for_event',
  settings: { event, amount: 2, unit: 'days' },
  next: { happened, timed_out: null },
})
const path = (id: string): Promise<string[]> => pathOf(merchant, id)
const mailsOf = async (executionId: string): Promise<number> =>
  (await okaeri.query`select from deliveries where merchant_id = ${merchant.id} and execution_id = ${executionId}`)
    .length

test('an event counts once: a mail for each order is one mail for one order, whether its webhook comes before or after the worker', async () => {
  const scope = merchant.scope()
  const [customerId = ''] = await addCustomers(scope, [{}])
  const emailId = await addEmail(scope)
  const scenarioId = await addScenario(scope, flowOf([awaits('a', 'm'), mailNode('m', emailId, 'a')]))
  const created = await addEvent(scope, { kind: 'order_created', customerId, occurredAt: okaeri.clock.now() })
  // Paid at the same moment.
  await addEvent(scope, { kind: 'order_paid', customerId, occurredAt: okaeri.clock.now() })
  okaeri.advance(1000)
  const [id = ''] = await addExecutions(scope, scenarioId, [{ customerId, eventId: created }])
  await okaeri.settle()
  expect(await path(id)).toEqual(['a happened', 'm next', 'a asleep'])
  okaeri.advance(HOUR)
  await recordEvents(merchant.scope(), [
    { kind: 'order_paid', key: 'next', customerId, occurredAt: okaeri.clock.now() },
  ])
  await okaeri.settle()
  expect(await path(id)).toEqual(['a happened', 'm next', 'a asleep', 'a happened', 'm next', 'a asleep'])
  expect(await mailsOf(id)).toBe(2)
})

test('two orders that came while no worker ran both count', async () => {
  const { id, customerId } = await startExecutions(merchant.scope(), [awaits('a', 'b'), awaits('b', 'e'), endNode('e')])
  await okaeri.settle()
  for (const hour of [1, 2]) {
    okaeri.advance(HOUR)
    await addEvent(merchant.scope(), { kind: 'order_paid', customerId, occurredAt: okaeri.clock.now() })
    if (hour === 1) await wakeByEvents(merchant.scope(), { kind: 'order_paid', customerIds: [customerId] })
  }
  await okaeri.settle()
  expect(await path(id)).toEqual(['a asleep', 'a happened', 'b happened', 'e ended'])
})

test('an event processed before the wait is committed still wakes it, even if the process dies right after', async () => {
  const { id, customerId } = await startExecutions(merchant.scope(), [awaits('a', 'e'), endNode('e')])
  await merchant.scope().transaction(async (scope) => {
    await advanceDue(scope)
    // Meanwhile another process finds no execution waiting.
    const other = merchant.scope()
    await recordEvents(other, [{ kind: 'order_paid', key: 'k', customerId, occurredAt: okaeri.clock.now() }])
    await sql`update events set looked_at = ${other.now} where merchant_id = ${merchant.id}`.execute(other.db)
    await wakeByEvents(other, { kind: 'order_paid', customerIds: [customerId] })
  })
  // Committed; the process that did it is gone.
  await okaeri.settle()
  expect(await path(id)).toEqual(['a asleep', 'a happened', 'e ended'])
})

test('an event of a guest ends a wait too', async () => {
  const { guestId } = await guestOf(merchant.scope(), { token: 'guest-1' })
  const scenarioId = await addScenario(
    merchant.scope(),
    flowOf([awaits('a', 'b', 'favorite_added'), awaits('b', 'e', 'favorite_added'), endNode('e')]),
  )
  const [id = ''] = await addExecutions(merchant.scope(), scenarioId, [{ customerId: null, guestId }])
  const favor = (key: string): Promise<number> =>
    recordEvents(merchant.scope(), [{ kind: 'favorite_added', key, guestId, occurredAt: okaeri.clock.now() }])
  okaeri.advance(1000)
  await favor('before anybody came by')
  okaeri.advance(1000)
  await okaeri.settle()
  expect(await path(id)).toEqual(['a happened', 'b asleep'])
  okaeri.advance(HOUR)
  await favor('meanwhile')
  await okaeri.settle()
  expect(await path(id)).toEqual(['a happened', 'b asleep', 'b happened', 'e ended'])
})

test.each(['before', 'after'] as const)(
  'a guest who becomes a customer and buys, %s we learn who it was, ends the wait',
  async (when) => {
    const { guestId } = await guestOf(merchant.scope(), { token: `guest-${when}` })
    const [customerId = ''] = await addCustomers(merchant.scope(), [{}])
    const scenarioId = await addScenario(merchant.scope(), flowOf([awaits('a', 'e'), endNode('e')]))
    const [id = ''] = await addExecutions(merchant.scope(), scenarioId, [{ customerId: null, guestId }])
    await okaeri.settle()
    okaeri.advance(HOUR)
    const join = () => joinGuest(merchant.scope(), guestId, customerId)
    const buy = async () => {
      await recordEvents(merchant.scope(), [
        { kind: 'order_paid', key: 'k', customerId, occurredAt: okaeri.clock.now() },
      ])
      await okaeri.settle()
    }
    for (const does of when === 'before' ? [buy, join] : [join, buy]) await does()
    await okaeri.settle()
    expect(await path(id)).toEqual(['a asleep', 'a happened', 'e ended'])
  },
)

test('two customers merge: an event of one ends the wait of the other', async () => {
  const { id, customerId } = await startExecutions(merchant.scope(), [awaits('a', 'e'), endNode('e')])
  const [intoId = ''] = await addCustomers(merchant.scope(), [{ email: 'into@example.test' }])
  await okaeri.settle()
  okaeri.advance(HOUR)
  await addEvent(merchant.scope(), { kind: 'order_paid', customerId: intoId, occurredAt: okaeri.clock.now() })
  await mergeExecutions(merchant.scope(), { fromId: customerId, intoId })
  await okaeri.settle()
  expect(await path(id)).toEqual(['a asleep', 'a happened', 'e ended'])
})

test('the longest possible flow runs in one go', async () => {
  const ids = Array.from({ length: 300 }, (_, at) => `n${at}`)
  const { id } = await startExecutions(
    merchant.scope(),
    ids.map(
      (node, at): PlainNode => ({
        id: node,
        kind: 'add_note',
        settings: { text: 'x' },
        next: { next: ids[at + 1] ?? null },
      }),
    ),
  )
  await okaeri.settle()
  expect(await executionOf(merchant, id)).toMatchObject({ status: 'done', last_error: null })
})

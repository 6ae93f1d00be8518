import { releaseEntryLimit } from '@okaeri/contract/scenarios/entering-routes'
import { listExecutions, sendLateOnes, skipLateOnes } from '@okaeri/contract/scenarios/execution'
import { getScenario } from '@okaeri/contract/scenarios/routes'
import { expect, test } from 'vitest'
import { addCustomers } from '../../../test/fixtures.ts'
import { addScenario, asleep, endNode, flowOf, waitNode } from '../../../test/scenarios.ts'
import { merchant, okaeri, withOneMerchant } from '../../../test/with-okaeri.ts'
import { recordEvents } from '../events/index.ts'
import { advanceExecutions } from '../steps/time-slice.ts'
import { askAboutMissedEvents } from '../entering/missed-events.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
withOneMerchant()

const alive = (hoursAgo: number) =>
  okaeri.query`update installation set last_alive_at = ${new Date(okaeri.clock.realNow().getTime() - hoursAgo * HOUR)}`

test('after more than a day without a worker, customers who would enter by events of that time wait for a member', async () => {
  const [customerId = ''] = await addCustomers(merchant.scope(), [{}])
  const paid = await addScenario(merchant.scope(), flowOf([asleep], { trigger: { kind: 'order_paid' } }))
  const favored = await addScenario(merchant.scope(), flowOf([asleep], { trigger: { kind: 'favorite_added' } }))
  const happen = (kind: 'order_paid' | 'favorite_added') =>
    recordEvents(merchant.scope(), [{ kind, key: kind, customerId, occurredAt: okaeri.clock.now() }])
  const braked = async (id: string) => (await merchant.call(getScenario, { params: { id } })).action.braked
  const count = async (id: string) => (await merchant.call(listExecutions, { query: { action_id: id } })).total
  await happen('order_paid')
  okaeri.advance(30 * HOUR)
  await happen('favorite_added')
  // The clock was moved; workers ran all the time.
  await alive(1)
  await askAboutMissedEvents(okaeri.context)
  expect([await braked(paid), await braked(favored)]).toEqual([null, null])
  await alive(30)
  await askAboutMissedEvents(okaeri.context)
  await alive(0)
  await okaeri.settle()
  expect(await braked(paid)).toMatchObject({ waiting: 1 })
  expect([await count(paid), await count(favored)]).toEqual([0, 1])
  await merchant.call(releaseEntryLimit, { params: { id: paid } })
  await okaeri.settle()
  expect(await count(paid)).toBe(1)
})

const happenedAt = async (
  kind: 'customer_created' | 'order_created' | 'order_fulfilled',
  occurredAt: Date,
): Promise<void> => {
  const [customerId = ''] = await addCustomers(merchant.scope(), [{}])
  await recordEvents(merchant.scope(), [{ kind, key: `${kind} ${customerId}`, customerId, occurredAt }])
}
const stateOf = async (id: string) => {
  const { data } = await merchant.call(listExecutions, { query: { action_id: id } })
  return data.map(({ status, node, end_reason }) => [status, node?.id, end_reason])
}

test('moved to the time of a step, or less than a day beyond, an execution continues; moved further it asks, once per delay', async () => {
  const flow = flowOf([waitNode('w', 'x', 3), waitNode('x', 'end', 3), endNode('end')], {
    trigger: { kind: 'order_created' },
  })
  const id = await addScenario(merchant.scope(), flow)
  await happenedAt('order_created', okaeri.clock.now())
  await okaeri.settle()
  okaeri.advance(3 * DAY)
  await okaeri.settle()
  expect(await stateOf(id)).toEqual([['running', 'x', null]])
  okaeri.advance(3 * DAY + 23 * HOUR)
  await okaeri.settle()
  expect(await stateOf(id)).toEqual([['done', 'end', 'finished']])
  const other = await addScenario(merchant.scope(), flow)
  await happenedAt('order_created', okaeri.clock.now())
  await okaeri.settle()
  okaeri.advance(7 * DAY)
  // A worker that starts after the clock was moved does not know of it.
  await advanceExecutions.run({ ...okaeri.context }, new AbortController().signal)
  await okaeri.settle()
  expect(await stateOf(other)).toEqual([['late', 'w', null]])
  expect((await merchant.call(getScenario, { params: { id: other } })).action).toMatchObject({
    late_count: 1,
    running_count: 1,
  })
  expect(await merchant.call(sendLateOnes, { params: { id: other } })).toEqual({ count: 1 })
  await okaeri.settle()
  expect(await stateOf(other)).toEqual([['running', 'x', null]])
  okaeri.advance(10 * DAY)
  await okaeri.settle()
  expect(await stateOf(other)).toEqual([['late', 'x', null]])
  expect(await merchant.call(skipLateOnes, { params: { id: other } })).toEqual({ count: 1 })
  expect(await stateOf(other)).toEqual([['done', 'x', 'late_skipped']])
})

test('an event that arrives more than a day after its wait was over asks; a customer whom a member let in is not asked about again', async () => {
  const flow = (kind: 'order_fulfilled' | 'customer_created') =>
    flowOf([waitNode('w', 'end', 1), endNode('end')], { trigger: { kind } })
  const orderFulfilled = await addScenario(merchant.scope(), flow('order_fulfilled'))
  const braked = await addScenario(merchant.scope(), flow('customer_created'))
  const occurredAt = okaeri.clock.now()
  await happenedAt('customer_created', occurredAt)
  okaeri.advance(5 * DAY)
  await alive(30)
  await askAboutMissedEvents(okaeri.context)
  await alive(0)
  await happenedAt('order_fulfilled', occurredAt)
  await okaeri.settle()
  expect([await stateOf(orderFulfilled), await stateOf(braked)]).toEqual([[['late', 'w', null]], []])
  await merchant.call(releaseEntryLimit, { params: { id: braked } })
  await okaeri.settle()
  expect(await stateOf(braked)).toEqual([['done', 'end', 'finished']])
})

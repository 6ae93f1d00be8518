import {
  dropFailedEntries,
  listFailedEntries,
  retryFailedEntries,
  whyInScenario,
} from '@okaeri/contract/scenarios/entering-routes'
import { getExecution, listExecutions, playFailedOnes, resolveFailedOnes } from '@okaeri/contract/scenarios/execution'
import { checkScenarios, getScenario, listScenarios, stopScenario } from '@okaeri/contract/scenarios/routes'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { addCustomers } from '../../../test/fixtures.ts'
import { addExecutions, addScenario, flowOf, type PlainNode } from '../../../test/scenarios.ts'
import { merchant, okaeri, withMerchants } from '../../../test/with-okaeri.ts'
import { recordEvents } from '../events/index.ts'

withMerchants()

const asleep: PlainNode = {
  id: 'w',
  kind: 'wait',
  settings: { wait: { mode: 'for', amount: 100, unit: 'days' } },
  next: { next: null },
}
const broken: PlainNode = {
  id: 'm',
  kind: 'send_email',
  settings: { email_id: null, tracking_parameters: null },
  next: { next: 'w' },
}
const happen = (customerIds: readonly string[], key: string) =>
  recordEvents(
    merchant.scope(),
    customerIds.map((customerId) => ({
      kind: 'order_paid' as const,
      key: `${key} ${customerId}`,
      customerId,
      occurredAt: okaeri.clock.now(),
    })),
  )
const action = async (id: string) => (await merchant.call(getScenario, { params: { id } })).action
const entered = async (id: string) => (await merchant.call(listExecutions, { query: { action_id: id } })).total

/** A scenario that two customers could not enter because of a database error, which is mended by now. */
async function failToLetIn() {
  const customerIds = await addCustomers(merchant.scope(), [{}, {}])
  const id = await addScenario(merchant.scope(), flowOf([asleep]))
  await okaeri.query`alter table executions add constraint fails check (scenario_id <> ${sql.lit(id)}::uuid)`
  try {
    await happen(customerIds, 'first')
    await okaeri.settle()
  } finally {
    await okaeri.query`alter table executions drop constraint fails`
  }
  return { id, customerIds }
}

test('failed entries are shown on the scenario’s page and among the problems; after a retry the customers enter', async () => {
  const { id, customerIds } = await failToLetIn()
  const failed_entries = { count: 2, since: expect.any(String) }
  expect(await action(id)).toMatchObject({ failed_entries })
  expect((await merchant.call(listScenarios, { query: {} })).data).toMatchObject([{ id, failed_entries }])
  expect(await merchant.call(checkScenarios, {})).toMatchObject({
    has_error: true,
    actions: [{ id, failed_entries_count: 2, failed_count: 0 }],
  })
  const who = await merchant.call(listFailedEntries, { params: { id }, query: {} })
  expect(who).toMatchObject({ total: 2, data: [{ kind: 'order_paid', customer_name: expect.any(String) }, {}] })
  expect(who.data.map(({ customer_id }) => customer_id ?? '').sort()).toEqual(customerIds.toSorted())
  expect(await merchant.call(retryFailedEntries, { params: { id } })).toEqual({ count: 2 })
  expect(await action(id)).toMatchObject({ failed_entries: null })
  await okaeri.settle()
  expect(await entered(id)).toBe(2)
  expect(await merchant.call(checkScenarios, {})).toEqual({ has_error: false, actions: [] })
  const { why } = await merchant.call(whyInScenario, {
    params: { id },
    query: { customer_id: customerIds[0] ?? '' },
  })
  expect(why.in).toBe(true)
})

test('dropped entries stay out and are no longer shown, except at the customer; later failures are shown again', async () => {
  const { id, customerIds } = await failToLetIn()
  expect(await merchant.call(dropFailedEntries, { params: { id } })).toEqual({ count: 2 })
  expect(await merchant.call(dropFailedEntries, { params: { id } })).toEqual({ count: 0 })
  await okaeri.settle()
  expect(await action(id)).toMatchObject({ failed_entries: null })
  expect(await entered(id)).toBe(0)
  const { why } = await merchant.call(whyInScenario, {
    params: { id },
    query: { customer_id: customerIds[0] ?? '' },
  })
  expect(why.rules).toContainEqual(expect.objectContaining({ rule: 'failed', admits: false }))
})

test('failed entries of a stopped scenario cannot be retried', async () => {
  const { id } = await failToLetIn()
  await merchant.call(stopScenario, { params: { id } })
  await expect(merchant.call(retryFailedEntries, { params: { id } })).rejects.toMatchObject({
    code: 'conflict',
    reason: 'scenario_not_active',
  })
  expect(await action(id)).toMatchObject({ failed_entries: { count: 2 } })
})

async function failAtMail() {
  const customers = await addCustomers(merchant.scope(), [{}, {}, {}])
  const id = await addScenario(merchant.scope(), flowOf([broken, asleep]))
  const ids = await addExecutions(
    merchant.scope(),
    id,
    customers.map((customerId, at) => ({ customerId, test: at === 2 })),
  )
  await okaeri.settle()
  expect(await action(id)).toMatchObject({ failed_count: 2 })
  return { id, ids }
}
const path = async (id: string): Promise<string[]> =>
  (await merchant.call(getExecution, { params: { id } })).execution.steps.map(
    ({ node_id, outcome }) => `${node_id} ${outcome}`,
  )

test('all failed executions continue once the cause is mended, except tests', async () => {
  const { id, ids } = await failAtMail()
  // The cause is mended: the step now leads to another.
  await okaeri.query`update scenario_versions set flow = ${JSON.stringify(flowOf([{ ...asleep, id: 'm' }]))}::jsonb
    where merchant_id = ${merchant.id} and scenario_id = ${id}`
  okaeri.advance(1000)
  expect(await merchant.call(playFailedOnes, { params: { id } })).toEqual({ count: 2 })
  await okaeri.settle()
  expect(await action(id)).toMatchObject({ failed_count: 0, running_count: 2 })
  expect(await path(ids[2] ?? '')).toEqual(['m failed'])
  expect((await path(ids[0] ?? '')).slice(0, 2)).toEqual(['m failed', 'm played'])
  expect(await merchant.call(playFailedOnes, { params: { id } })).toEqual({ count: 0 })
})

test('an execution that fails again says so again; once accepted, it is over', async () => {
  const { id, ids } = await failAtMail()
  okaeri.advance(1000)
  await merchant.call(playFailedOnes, { params: { id } })
  await okaeri.settle()
  expect(await path(ids[0] ?? '')).toEqual(['m failed', 'm played', 'm failed'])
  expect(await merchant.call(resolveFailedOnes, { params: { id } })).toEqual({ count: 2 })
  expect(await action(id)).toMatchObject({ failed_count: 0, running_count: 0 })
  expect((await merchant.call(getExecution, { params: { id: ids[0] ?? '' } })).execution).toMatchObject({
    status: 'resolved',
    ended_at: expect.any(String),
  })
})

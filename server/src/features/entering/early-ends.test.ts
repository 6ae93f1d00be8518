import { releaseEntryLimit } from '@okaeri/contract/scenarios/entering-routes'
import { listExecutions } from '@okaeri/contract/scenarios/execution'
import type { EndsOn, Flow } from '@okaeri/contract/scenarios/flow/flow'
import { beforeEach, describe, expect, test } from 'vitest'
import { addCustomers, addEmail, setSendingHours } from '../../../test/fixtures.ts'
import { addScenario, asleep, executionOf, flowOf, mailNode, pathOf } from '../../../test/scenarios.ts'
import { merchant, okaeri, withMerchants } from '../../../test/with-okaeri.ts'
import { newId } from '../../kernel/ids.ts'
import { changeConsent } from '../consent/index.ts'
import { recordEvents } from '../events/index.ts'
import { restartExecution } from '../executions/execution.ts'
import { updateScenario } from '../flows/queries.ts'
import { deleteScenario } from '../scenarios/scenario.ts'

const HOUR = 3_600_000
withMerchants()
// Mails wait some hours for the sending hours.
beforeEach(() => setSendingHours(merchant.scope(), 8, 9))

let number = 0
async function addOrder(customerId: string, at: Date, rest: { cancelled?: boolean } = {}): Promise<number> {
  number += 1
  await okaeri.query`insert into orders (merchant_id, id, store_order_id, customer_id, name, processed_at, total_amount, current_amount, currency, cancelled_at)
    values (${merchant.id}, ${newId()}, ${number}, ${customerId}, ${`#${number}`}, ${at}, 1000, 1000, 'JPY', ${rest.cancelled ? at : null})`
  return number
}
const happen = (kind: 'order_created' | 'order_cancelled' | 'favorite_added', customerId: string, order?: number) =>
  recordEvents(merchant.scope(), [
    {
      kind,
      key: `${kind}:${order ?? newId()}`,
      customerId,
      subject: order === undefined ? {} : { store_order_id: order },
      occurredAt: okaeri.clock.now(),
    },
  ])
const executions = async (scenarioId: string) =>
  (await merchant.call(listExecutions, { query: { action_id: scenarioId } })).data
const mails = async (): Promise<string[]> =>
  (
    await okaeri.query<{
      is: string
    }>`select case status when 'skipped' then reason else status end as is from deliveries
      where merchant_id = ${merchant.id} order by id`
  ).map(({ is }) => is)

describe('the last mail, waiting for the sending hours after its execution finished,', () => {
  const begin = async (flow: Partial<Flow>) => {
    const [customerId = '', other = ''] = await addCustomers(merchant.scope(), [{}, {}])
    const emailId = await addEmail(merchant.scope())
    const scenarioId = await addScenario(
      merchant.scope(),
      flowOf([mailNode('m', emailId, null)], { trigger: { kind: 'favorite_added' }, ...flow }),
    )
    return { customerId, other, scenarioId }
  }

  test.each([
    { ends_on: ['bought'] as EndsOn[], left: ['cancelled', 'pending'], reason: 'bought' },
    { ends_on: [] as EndsOn[], left: ['pending', 'pending'], reason: 'finished' },
  ])('is withdrawn by an order where the flow ends by one: $ends_on', async ({ ends_on, left, reason }) => {
    const { customerId, other, scenarioId } = await begin({ ends_on })
    await happen('favorite_added', customerId)
    okaeri.advance(1000)
    await happen('favorite_added', other)
    await okaeri.settle()
    expect(await mails()).toEqual(['pending', 'pending'])
    okaeri.advance(HOUR)
    await happen('order_created', customerId, await addOrder(customerId, okaeri.clock.now()))
    await okaeri.settle()
    expect(await mails()).toEqual(left)
    const theirs = (await executions(scenarioId)).find(({ customer }) => customer?.id === customerId)
    expect(theirs).toMatchObject({ status: 'done', end_reason: reason })
    expect(await pathOf(merchant, theirs?.id ?? '')).toEqual([
      'm next',
      'm ended',
      ...(reason === 'bought' ? ['m ended'] : []),
    ])
  })

  test('is withdrawn when its order is cancelled, and when the customer unsubscribes', async () => {
    const { customerId, scenarioId } = await begin({
      trigger: { kind: 'order_created' },
      ends_on: ['order_cancelled', 'unsubscribed'],
      reentry: { mode: 'always' },
    })
    await updateScenario(merchant.scope(), scenarioId, { include_all_customers: true })
    const order = await addOrder(customerId, okaeri.clock.now())
    await happen('order_created', customerId, order)
    await okaeri.settle()
    okaeri.advance(HOUR)
    await happen('order_cancelled', customerId, order)
    await okaeri.settle()
    expect(await mails()).toEqual(['cancelled'])
    await happen('order_created', customerId, await addOrder(customerId, okaeri.clock.now()))
    await okaeri.settle()
    await changeConsent(merchant.scope(), { customerId, kind: 'marketing', to: 'withdrawn', source: 'storefront' })
    expect(await mails()).toEqual(['cancelled', 'cancelled'])
    expect((await executions(scenarioId)).map(({ end_reason }) => end_reason)).toEqual([
      'unsubscribed',
      'order_cancelled',
    ])
  })

  test('stays sent once it has left, and its execution stays finished', async () => {
    const { customerId, scenarioId } = await begin({ ends_on: ['bought'] })
    await happen('favorite_added', customerId)
    await okaeri.settle()
    await okaeri.query`update deliveries set status = 'sent', sent_at = ${okaeri.clock.now()} where merchant_id = ${merchant.id}`
    okaeri.advance(HOUR)
    await happen('order_created', customerId, await addOrder(customerId, okaeri.clock.now()))
    await okaeri.settle()
    expect(await executions(scenarioId)).toMatchObject([{ end_reason: 'finished' }])
  })
})

describe('a customer who enters late', () => {
  const brake = (scenarioId: string, at: Date | null) => updateScenario(merchant.scope(), scenarioId, { braked_at: at })

  test('leaves at once if they bought while the entry limit held them back', async () => {
    const [bought = '', idle = ''] = await addCustomers(merchant.scope(), [{}, {}])
    const scenarioId = await addScenario(
      merchant.scope(),
      flowOf([asleep], { trigger: { kind: 'favorite_added' }, ends_on: ['bought'] }),
    )
    await brake(scenarioId, okaeri.clock.now())
    for (const each of [bought, idle]) await happen('favorite_added', each)
    await okaeri.settle()
    expect(await executions(scenarioId)).toEqual([])
    okaeri.advance(HOUR)
    await happen('order_created', bought, await addOrder(bought, okaeri.clock.now()))
    await okaeri.settle()
    expect(await merchant.call(releaseEntryLimit, { params: { id: scenarioId } })).toEqual({ count: 2 })
    await okaeri.settle()
    const found = await executions(scenarioId)
    expect(Object.fromEntries(found.map(({ customer, end_reason }) => [customer?.id, end_reason]))).toEqual({
      [bought]: 'bought',
      [idle]: null,
    })
    for (const { id, end_reason } of found)
      expect(await pathOf(merchant, id)).toEqual(end_reason ? ['asleep ended'] : ['asleep asleep'])
  })

  test('leaves at once if the order that started it was cancelled meanwhile; that order itself is not another purchase', async () => {
    const [gone = '', stays = ''] = await addCustomers(merchant.scope(), [{}, {}])
    const scenarioId = await addScenario(
      merchant.scope(),
      flowOf([asleep], { trigger: { kind: 'order_created' }, ends_on: ['bought', 'order_cancelled'] }),
    )
    await happen('order_created', gone, await addOrder(gone, okaeri.clock.now(), { cancelled: true }))
    await happen('order_created', stays, await addOrder(stays, okaeri.clock.now()))
    await okaeri.settle()
    const found = await executions(scenarioId)
    expect(Object.fromEntries(found.map(({ customer, end_reason }) => [customer?.id, end_reason]))).toEqual({
      [gone]: 'order_cancelled',
      [stays]: null,
    })
  })

  test('a scenario deleted while its entry limit holds keeps no record of the waiting customers', async () => {
    const [customerId = ''] = await addCustomers(merchant.scope(), [{}])
    const scenarioId = await addScenario(merchant.scope(), flowOf([asleep], { trigger: { kind: 'favorite_added' } }))
    await brake(scenarioId, okaeri.clock.now())
    await happen('favorite_added', customerId)
    await okaeri.settle()
    await updateScenario(merchant.scope(), scenarioId, { status: 'stopped' })
    await deleteScenario(merchant.scope(), scenarioId)
    const rows = await okaeri.query`select from scenario_entries where merchant_id = ${merchant.id} and waits`
    expect(rows).toEqual([])
  })
})

test('an order without a customer, but with their address, counts as bought', async () => {
  const [customerId = '', other = ''] = await addCustomers(merchant.scope(), [
    { email: 'bought@example.test' },
    { email: 'left@example.test' },
  ])
  const scenarioId = await addScenario(
    merchant.scope(),
    flowOf([asleep], { trigger: { kind: 'cart_abandoned', after_minutes: 60 } }),
  )
  okaeri.advance(HOUR)
  const left = okaeri.clock.now()
  for (const [at, id] of [customerId, other].entries())
    await okaeri.query`insert into carts (merchant_id, id, token, customer_id, lines, items_count, created_at, store_updated_at)
      values (${merchant.id}, ${newId()}, ${`cart-${at}`}, ${id}, '[{"title": "x", "quantity": 1}]', 1, ${left}, ${left})`
  await okaeri.query`insert into orders (merchant_id, id, store_order_id, name, email_key, processed_at, total_amount, current_amount, currency)
    values (${merchant.id}, ${newId()}, 900001, '#G', 'bought@example.test', ${left}, 1000, 1000, 'JPY')`
  okaeri.advance(2 * HOUR)
  await okaeri.settle()
  expect((await executions(scenarioId)).map(({ customer }) => customer?.id)).toEqual([other])
})

test('an execution of an erased customer cannot be restarted', async () => {
  const [customerId = ''] = await addCustomers(merchant.scope(), [{}])
  const scenarioId = await addScenario(merchant.scope(), flowOf([], { trigger: { kind: 'favorite_added' } }))
  await happen('favorite_added', customerId)
  await okaeri.settle()
  const [execution] = await executions(scenarioId)
  expect(execution).toMatchObject({ status: 'done' })
  await okaeri.query`update executions set customer_id = null where merchant_id = ${merchant.id}`
  await expect(restartExecution(merchant.scope(), execution?.id ?? '')).rejects.toMatchObject({
    reason: 'execution_status_forbids',
  })
  expect(await executionOf(merchant, execution?.id ?? '')).toMatchObject({ status: 'done' })
})

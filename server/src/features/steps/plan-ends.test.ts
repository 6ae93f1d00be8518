import { changeSettings, getSettings } from '@okaeri/contract/merchants/routes'
import type { Flow } from '@okaeri/contract/scenarios/flow/flow'
import * as contract from '@okaeri/contract/scenarios/routes'
import { expect, test } from 'vitest'
import { addCustomers, addEmail } from '../../../test/fixtures.ts'
import { type TestMerchant } from '../../../test/harness.ts'
import { addExecutions, endNode, executionOf, flowOf, mailNode, waitNode } from '../../../test/scenarios.ts'
import { refusal } from '../../../test/refusal.ts'
import { okaeri } from '../../../test/with-okaeri.ts'
import { gotBy, withSink } from '../../../test/with-sink.ts'
import { aReservedCampaign, campaignOf } from '../../../test/builders/campaign.ts'
import { aScenario } from '../../../test/builders/scenario.ts'
import { setPlan } from '../merchants/index.ts'

// The trial or a higher plan ends while something runs (decision 51).

const HOUR = 3_600_000
const DAY = 24 * HOUR
withSink()

/** On the last day of a trial of the standard plan, which does not include the flow editor. */
async function lastDayOfTrial(): Promise<TestMerchant> {
  const merchant = await okaeri.merchant()
  await setPlan(merchant.scope(), 'standard', { trial: true })
  okaeri.advance(29 * DAY)
  expect((await merchant.call(getSettings, {})).plan.status).toBe('trial')
  return merchant
}
async function endTrial(merchant: TestMerchant): Promise<void> {
  okaeri.advance(2 * DAY)
  expect((await merchant.call(getSettings, {})).plan.status).toBe('active')
}

const reserve = (merchant: TestMerchant, inMs: number) =>
  aReservedCampaign(merchant, {
    send_type: 'scheduled',
    scheduled_at: new Date(okaeri.clock.now().getTime() + inMs).toISOString(),
  })

async function drawn(merchant: TestMerchant): Promise<{ id: string; flow: Flow }> {
  const emailId = await addEmail(merchant.scope())
  const flow = flowOf([waitNode('w', 'm', 3), mailNode('m', emailId, 'e'), endNode('e')])
  const action = await aScenario(merchant, { name: '購入のお礼', template: null, form: {} })
  await merchant.call(contract.saveFlow, { params: { id: action.id }, body: { flow } })
  return { id: action.id, flow }
}
const longer = (flow: Flow): Flow => ({ ...flow, nodes: flow.nodes.filter(({ id }) => id !== 'w'), start: 'm' })

test('a flow that was enabled in the trial runs on after it, has no problem, and can be stopped and enabled again unchanged', async () => {
  const merchant = await lastDayOfTrial()
  const { id, flow } = await drawn(merchant)
  const params = { id }
  await merchant.call(contract.enableScenario, { params })
  const [customerId = ''] = await addCustomers(merchant.scope(), [{ email: 'midway@a.test' }])
  const [execution = ''] = await addExecutions(merchant.scope(), id, [{ customerId }])
  await okaeri.settle()
  await endTrial(merchant)
  okaeri.advance(DAY)
  await okaeri.settle()
  expect(await executionOf(merchant, execution)).toMatchObject({ status: 'done' })
  expect(gotBy('midway@a.test')).toBe(1)
  const running = (await merchant.call(contract.getScenario, { params })).action
  expect(running).toMatchObject({ status: 'active', problems: [] })
  expect((await merchant.call(contract.getFlow, { params })).problems).toEqual([])
  expect(await merchant.call(contract.checkScenarios, {})).toEqual({ has_error: false, actions: [] })
  // Without the plan its flow cannot be changed, its settings can.
  expect(await refusal(merchant.call(contract.saveFlow, { params, body: { flow: longer(flow) } }))).toMatchObject({
    status: 403,
    reason: 'plan_forbids_flow_editor',
  })
  await merchant.call(contract.changeScenario, { params, body: { name: '新しい名前', holdout_percent: 10 } })
  await merchant.call(contract.stopScenario, { params })
  expect((await merchant.call(contract.getScenario, { params })).action.problems).toEqual([])
  expect((await merchant.call(contract.enableScenario, { params })).action.status).toBe('active')
})

test('a flow that never ran needs the plan: a draft, a copy, and one changed after it was stopped', async () => {
  const merchant = await lastDayOfTrial()
  const never = await drawn(merchant)
  const changed = await drawn(merchant)
  await merchant.call(contract.enableScenario, { params: { id: changed.id } })
  okaeri.advance(1000)
  await merchant.call(contract.stopScenario, { params: { id: changed.id } })
  const copy = (await merchant.call(contract.duplicateScenario, { params: { id: changed.id } })).action
  okaeri.advance(1000)
  await merchant.call(contract.saveFlow, { params: { id: changed.id }, body: { flow: longer(changed.flow) } })
  await endTrial(merchant)
  for (const id of [never.id, changed.id, copy.id]) {
    const params = { id }
    expect((await merchant.call(contract.getScenario, { params })).action.problems).toEqual([
      { node_id: null, problem: 'plan_forbids', field: null },
    ])
    expect(await refusal(merchant.call(contract.enableScenario, { params }))).toMatchObject({
      reason: 'scenario_incomplete',
      fields: { flow: 'not_allowed' },
    })
  }
  await setPlan(merchant.scope(), 'pro', { trial: false })
  expect((await merchant.call(contract.enableScenario, { params: { id: never.id } })).action.status).toBe('active')
})

test('a campaign scheduled in the trial is sent to everyone after it, and one in progress finishes', async () => {
  const merchant = await lastDayOfTrial()
  await addCustomers(merchant.scope(), [{ email: 'one@c.test' }, { email: 'two@c.test' }])
  const later = (await reserve(merchant, 2 * DAY)).id
  const now = (await reserve(merchant, HOUR)).id
  await okaeri.settle()
  // One of its mails is retried later, so the campaign is still in progress when the trial ends.
  await okaeri.query`update deliveries set next_attempt_at = ${new Date(okaeri.clock.now().getTime() + 1.5 * DAY)}
    where merchant_id = ${merchant.id} and campaign_id = ${now} and address = 'two@c.test'`
  okaeri.advance(HOUR)
  await okaeri.settle()
  expect(await campaignOf(merchant, now)).toMatchObject({ status: 'sending', balance: { sent: 1, pending: 1 } })
  await endTrial(merchant)
  await okaeri.settle()
  for (const id of [now, later]) {
    const { status, balance } = await campaignOf(merchant, id)
    expect({ status, sent: balance?.sent, audience: balance?.audience }).toEqual({
      status: 'sent',
      sent: 2,
      audience: 2,
    })
  }
  expect([gotBy('one@c.test'), gotBy('two@c.test')]).toEqual([2, 2])
})

test('on the test plan, which follows a cancelled one, the rest of a campaign waits, says why, and goes on with another plan', async () => {
  const merchant = await okaeri.merchant({ plan: 'pro', test_emails: ['tester@d.test'] })
  await addCustomers(
    merchant.scope(),
    Array.from({ length: 14 }, (_, at) => ({ email: `real${at}@d.test` })),
  )
  const campaign = await reserve(merchant, HOUR)
  await okaeri.settle()
  await setPlan(merchant.scope(), 'test', { trial: false })
  okaeri.advance(HOUR)
  await okaeri.settle()
  expect(await campaignOf(merchant, campaign.id)).toMatchObject({
    status: 'waiting',
    wait_reason: 'test_mode',
    balance: { audience: 14, pending: 14 },
  })
  expect([gotBy('real0@d.test'), gotBy('tester@d.test')]).toEqual([0, 0])
  await setPlan(merchant.scope(), 'pro', { trial: false })
  await merchant.call(changeSettings, { body: { userSetting: { test_mode: false } } })
  await okaeri.settle()
  expect(await campaignOf(merchant, campaign.id)).toMatchObject({ status: 'sent', balance: { sent: 14 } })
  expect([gotBy('real0@d.test'), gotBy('tester@d.test')]).toEqual([1, 0])
})

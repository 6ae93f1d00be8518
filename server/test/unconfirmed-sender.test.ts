import * as scenarios from '@okaeri/contract/scenarios/routes'
import { expect, test } from 'vitest'
import { addCustomers, addEmail, confirmAddresses } from './fixtures.ts'
import { type TestMerchant } from './harness.ts'
import { okaeri } from './with-okaeri.ts'
import { aReservedCampaign, campaignOf } from './builders/campaign.ts'
import { gotBy, withSink } from './with-sink.ts'

// An address that was good as the sender because a member signed in by it, and no longer does.
withSink()

const forgetSender = ({ id }: TestMerchant) =>
  okaeri.query`delete from address_confirmations where merchant_id = ${id} and purpose = 'sender'`

test('a reserved campaign whose sender is not confirmed any more waits, says for what, and goes on by itself', async () => {
  const merchant = await okaeri.merchant()
  await addCustomers(merchant.scope(), [{ email: 'waits@a.test' }])
  const { id } = await aReservedCampaign(merchant, { send_type: 'immediate' })
  await forgetSender(merchant)
  await okaeri.settle()
  const now = () => campaignOf(merchant, id)
  // The settings may name another by now: it is the reserved one that is waited for.
  await okaeri.query`update merchants set sender_email = 'new@shop.test' where id = ${merchant.id}`
  expect(await now()).toMatchObject({
    status: 'waiting',
    wait_reason: 'sender_unconfirmed',
    sender: { email: 'shop@shop.test' },
    balance: { pending: 1 },
  })
  await confirmAddresses(merchant.scope(), 'shop@shop.test')
  await okaeri.settle()
  expect(await now()).toMatchObject({ status: 'sent', wait_reason: null, balance: { sent: 1 } })
  expect(gotBy('waits@a.test')).toBe(1)
})

test('a scenario says which sender its mails wait for, and does not call its email wrong', async () => {
  const merchant = await okaeri.merchant()
  const email = await addEmail(merchant.scope())
  const { action } = await merchant.call(scenarios.createScenario, {
    body: { name: '誕生日', template: 'BirthdayAction', form: { email, hour: 9 } },
  })
  const params = { id: action.id }
  await merchant.call(scenarios.enableScenario, { params })
  await forgetSender(merchant)
  const problems = async () => (await merchant.call(scenarios.getScenario, { params })).action.problems
  const unconfirmed = {
    node_id: 'email',
    problem: 'sender_unconfirmed',
    field: 'settings.email_id',
    sender: 'shop@shop.test',
  }
  expect(await problems()).toEqual([unconfirmed])
  expect((await merchant.call(scenarios.checkScenarios, {})).actions).toMatchObject([{ problems: [unconfirmed] }])
  await okaeri.query`update members set email_confirmed_at = null where merchant_id = ${merchant.id}`
  expect((await problems()).map(({ problem }) => problem)).toEqual(['account_unconfirmed', 'sender_unconfirmed'])
  await okaeri.query`update members set email_confirmed_at = now() where merchant_id = ${merchant.id}`
  await confirmAddresses(merchant.scope())
  expect(await problems()).toEqual([])
})

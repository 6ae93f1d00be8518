import * as campaigns from '@okaeri/contract/campaigns/routes'
import * as scenarios from '@okaeri/contract/scenarios/routes'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Sink, startSink } from '../bench/smtp-sink.ts'
import { addCustomers, addEmail, confirmAddresses } from './fixtures.ts'
import { startTestOkaeri, type TestMerchant, type TestOkaeri } from './harness.ts'

// An address that was good as the sender because a member signed in by it, and no longer does.
let sink: Sink
let okaeri: TestOkaeri
beforeAll(async () => {
  sink = await startSink({ port: 0 })
  okaeri = await startTestOkaeri({ smtpUrl: `smtp://127.0.0.1:${sink.port}` })
})
afterAll(async () => {
  await okaeri.close()
  await sink.close()
})

const forgetSender = ({ id }: TestMerchant) =>
  sql`delete from address_confirmations where merchant_id = ${id} and purpose = 'sender'`.execute(okaeri.context.db)

test('a reserved campaign whose sender is not confirmed any more waits, says for what, and goes on by itself', async () => {
  const merchant = await okaeri.merchant()
  await addCustomers(merchant.scope(), [{ email: 'waits@a.test' }])
  const email_id = await addEmail(merchant.scope())
  const { campaign } = await merchant.call(campaigns.createCampaign, {
    body: { name: '春', segment_type: 'all', send_type: 'immediate', email_id },
  })
  const params = { id: campaign.id }
  await merchant.call(campaigns.reserveCampaign, { params, body: {} })
  await forgetSender(merchant)
  await okaeri.settle()
  const now = async () => (await merchant.call(campaigns.getCampaign, { params })).campaign
  // The settings may name another by now: it is the reserved one that is waited for.
  await sql`update merchants set sender_email = 'new@shop.test' where id = ${merchant.id}`.execute(okaeri.context.db)
  expect(await now()).toMatchObject({
    status: 'waiting',
    wait_reason: 'sender_unconfirmed',
    sender: { email: 'shop@shop.test' },
    balance: { pending: 1 },
  })
  await confirmAddresses(merchant.scope(), 'shop@shop.test')
  await okaeri.settle()
  expect(await now()).toMatchObject({ status: 'sent', wait_reason: null, balance: { sent: 1 } })
  expect(sink.countByRecipient().get('waits@a.test')).toBe(1)
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
  await sql`update members set email_confirmed_at = null where merchant_id = ${merchant.id}`.execute(okaeri.context.db)
  expect((await problems()).map(({ problem }) => problem)).toEqual(['account_unconfirmed', 'sender_unconfirmed'])
  await sql`update members set email_confirmed_at = now() where merchant_id = ${merchant.id}`.execute(okaeri.context.db)
  await confirmAddresses(merchant.scope())
  expect(await problems()).toEqual([])
})

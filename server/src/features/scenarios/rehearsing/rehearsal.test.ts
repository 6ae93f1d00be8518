import * as contract from '@okaeri/contract/scenarios/rehearsal'
import { createScenario } from '@okaeri/contract/scenarios/routes'
import { createEmail } from '@okaeri/contract/emails/routes'
import type { Flow } from '@okaeri/contract/scenarios/flow'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { followUp } from '../../../../test/every-endpoint.ts'
import { GOOD_HTML } from '../../../../test/fixtures.ts'
import { startTestOkaeri, type TestMerchant, type TestOkaeri } from '../../../../test/harness.ts'
import { newId } from '../../../kernel/ids.ts'

let okaeri: TestOkaeri
beforeAll(async () => {
  okaeri = await startTestOkaeri()
})
afterAll(() => okaeri.close())

const DAY_MS = 86_400_000
const now = new Date()
const daysAgo = (days: number): Date => new Date(now.getTime() - days * DAY_MS)

interface Shop {
  merchant: TestMerchant
  emailId: string
  customer(given?: { consent?: boolean; birthday?: string }): Promise<string>
  order(customerId: string, at: Date): Promise<void>
  rehearse(template: string, form: Record<string, string | number | boolean | null>): ReturnType<typeof run>
}
async function shop(): Promise<Shop> {
  const merchant = await okaeri.merchant()
  const { db } = okaeri.context
  const { email } = await merchant.call(createEmail, {
    body: { name: 'お礼', subject: 'ありがとうございます', content: GOOD_HTML },
  })
  let number = 0
  return {
    merchant,
    emailId: email.id,
    async customer({ consent = true, birthday } = {}) {
      const id = newId()
      const address = `${id}@customer.test`
      await sql`insert into customers (merchant_id, id, email, email_key, display_name, marketing_state, birthday, created_at, updated_at)
        values (${merchant.id}, ${id}, ${address}, ${address}, '山田', ${consent ? 'granted' : 'unknown'}, ${birthday ?? null},
          ${daysAgo(400)}, ${daysAgo(400)})`.execute(db)
      return id
    },
    async order(customerId, at) {
      number += 1
      await sql`insert into orders (merchant_id, id, store_order_id, customer_id, name, processed_at, total_amount, current_amount, currency, financial_status)
        values (${merchant.id}, ${newId()}, ${number}, ${customerId}, '#1', ${at}, 1000, 1000, 'JPY', 'PAID')`.execute(
        db,
      )
      await sql`update customers set orders_count = orders_count + 1, last_order_at = ${at}
        where merchant_id = ${merchant.id} and id = ${customerId}`.execute(db)
    },
    async rehearse(template, form) {
      const { action } = await merchant.call(createScenario, { body: { name: template, template, form } })
      return run(merchant, action.id)
    },
  }
}
async function run(merchant: TestMerchant, id: string, flow: Flow | null = null) {
  const begun = await merchant.call(contract.rehearseScenario, { params: { id }, body: { flow } })
  expect(begun.rehearsal.status).toBe('running')
  await okaeri.settle()
  const { rehearsal } = await merchant.call(contract.getRehearsal, { params: { id } })
  if (rehearsal?.status !== 'done') throw new Error('the rehearsal is over')
  return rehearsal
}

test('a follow-up of the last 90 days: who would have got it, when, and how many a day; nothing is sent', async () => {
  const { merchant, emailId, customer, order, rehearse } = await shop()
  const [hanako, silent, old] = [await customer(), await customer({ consent: false }), await customer()]
  await order(hanako, daysAgo(40))
  await order(hanako, daysAgo(20))
  await order(silent, daysAgo(30))
  await order(old, daysAgo(100))
  await order(hanako, daysAgo(1))
  const rehearsal = await rehearse('PurchaseFollowUpAction', { email: emailId, days: 3 })
  expect(rehearsal).toMatchObject({ events: 4, entered: 4, mails: 2, people: 1, most_to_one: 2, kept_out: {} })
  expect(rehearsal.mails_per_day.map(({ mails }) => mails)).toEqual([1, 1])
  expect(rehearsal.samples).toEqual([
    {
      customer_id: hanako,
      customer_name: '山田',
      entered_at: daysAgo(40).toISOString(),
      mails: [{ node_id: 'email', at: daysAgo(37).toISOString() }],
    },
    expect.objectContaining({ mails: [{ node_id: 'email', at: daysAgo(17).toISOString() }] }),
  ])
  const { rows } = await sql`select from deliveries where merchant_id = ${merchant.id}
    union all select from executions where merchant_id = ${merchant.id}`.execute(okaeri.context.db)
  expect(rows).toHaveLength(0)
})

test('the first purchase is told from the second, as it was on that day', async () => {
  const { emailId, customer, order, rehearse } = await shop()
  const [again, once] = [await customer(), await customer()]
  await order(again, daysAgo(120))
  await order(again, daysAgo(50))
  await order(once, daysAgo(50))
  await order(once, daysAgo(10))
  const rehearsal = await rehearse('FirstPurchaseAction', { email: emailId, days: 0 })
  expect(rehearsal).toMatchObject({ events: 3, entered: 1, kept_out: { condition: 2 }, mails: 1 })
})

test('buying ends a win-back before its second mail', async () => {
  const { emailId, customer, order, rehearse } = await shop()
  const [back, gone] = [await customer(), await customer()]
  for (const person of [back, gone]) await order(person, daysAgo(60))
  await order(back, daysAgo(29))
  const rehearsal = await rehearse('WinBackAction', {
    email: emailId,
    days: 30,
    hour: 0,
    email2: true,
    email2_email: emailId,
    email2_hours: 72,
  })
  // 30 days after day 60 both enter; the one who bought on day 29 gets the first mail alone.
  expect(rehearsal.by_node).toEqual([
    { node_id: 'email', entered: 2, mails: 2, stuck: 0 },
    { node_id: 'email2_wait', entered: 2, mails: 0, stuck: 0 },
    { node_id: 'email2', entered: 1, mails: 1, stuck: 0 },
  ])
})

test('birthdays come on their days', async () => {
  const { emailId, customer, rehearse } = await shop()
  for (const days of [20, 120]) await customer({ birthday: `1990-${daysAgo(days).toISOString().slice(5, 10)}` })
  const rehearsal = await rehearse('BirthdayAction', { email: emailId, hour: 12 })
  expect(rehearsal).toMatchObject({ events: 1, entered: 1, mails: 1 })
})

test('a mail that is missing is where everyone gets stuck', async () => {
  const { merchant, customer, order } = await shop()
  await order(await customer(), daysAgo(10))
  const { action } = await merchant.call(createScenario, {
    body: { name: 'お礼', template: 'PurchaseFollowUpAction', form: { days: 1 } },
  })
  const rehearsal = await run(merchant, action.id)
  expect(rehearsal).toMatchObject({ entered: 1, mails: 0 })
  expect(rehearsal.by_node).toContainEqual({ node_id: 'email', entered: 1, mails: 0, stuck: 1 })
})

test('a flow that is not saved can be rehearsed; only the last rehearsal is kept', async () => {
  const { merchant, emailId, customer, order } = await shop()
  await order(await customer(), daysAgo(10))
  const { action } = await merchant.call(createScenario, {
    body: { name: 'お礼', template: 'PurchaseFollowUpAction', form: { days: 30, email: emailId } },
  })
  const saved = await run(merchant, action.id)
  expect(saved.mails).toBe(0)
  const other = await run(merchant, action.id, followUp(emailId))
  expect(other.mails).toBe(1)
})

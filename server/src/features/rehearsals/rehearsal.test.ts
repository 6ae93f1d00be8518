import * as contract from '@okaeri/contract/scenarios/rehearsal'
import { NO_CONDITIONS } from '@okaeri/contract/scenarios/scenario'
import type { Flow } from '@okaeri/contract/scenarios/flow/flow'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { followUp } from '../../../test/every-endpoint.ts'
import type { TestMerchant } from '../../../test/harness.ts'
import { flowOf, lineNode, mailNode, waitNode } from '../../../test/scenarios.ts'
import { okaeri, withOkaeri } from '../../../test/with-okaeri.ts'
import { aScenario } from '../../../test/builders/scenario.ts'
import { aLineMessage } from '../../../test/builders/line-message.ts'
import { anEmail } from '../../../test/builders/email.ts'
import { newId } from '../../kernel/ids.ts'
import { rehearse } from './simulation.ts'

withOkaeri()

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
  const email = await anEmail(merchant)
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
      const action = await aScenario(merchant, { name: template, template, form })
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

test('a follow-up of the last 90 days shows who would have got it, when, and how many a day; nothing is sent', async () => {
  const { merchant, emailId, customer, order, rehearse } = await shop()
  const [hanako, silent, old] = [await customer(), await customer({ consent: false }), await customer()]
  await order(hanako, daysAgo(40))
  await order(hanako, daysAgo(20))
  await order(silent, daysAgo(30))
  await order(old, daysAgo(100))
  await order(hanako, daysAgo(1))
  const rehearsal = await rehearse('PurchaseFollowUpAction', { email: emailId, days: 3 })
  expect(rehearsal).toMatchObject({ events: 4, entered: 4, mails: 2, people: 1, most_to_one: 2, kept_out: {} })
  // The last order's mail is due after today.
  expect(rehearsal.without_message).toEqual({ no_consent: 1, under_way: 1 })
  expect(rehearsal.per_day.map(({ mails }) => mails)).toEqual([1, 1])
  expect(rehearsal.samples).toEqual([
    {
      customer_id: hanako,
      customer_name: '山田',
      entered_at: daysAgo(40).toISOString(),
      messages: [{ node_id: 'email', at: daysAgo(37).toISOString() }],
    },
    expect.objectContaining({ messages: [{ node_id: 'email', at: daysAgo(17).toISOString() }] }),
  ])
  const rows = await okaeri.query`select from deliveries where merchant_id = ${merchant.id}
    union all select from executions where merchant_id = ${merchant.id}`
  expect(rows).toHaveLength(0)
})

test('two orders during the wait send one email, unless the merchant wants one each time', async () => {
  const { merchant, emailId, customer, order, rehearse } = await shop()
  const hanako = await customer()
  await order(hanako, daysAgo(40))
  await order(hanako, daysAgo(38))
  await order(hanako, daysAgo(20))
  const form = { email: emailId, days: 3 }
  const byDefault = await rehearse('PurchaseFollowUpAction', form)
  expect(byDefault).toMatchObject({ events: 3, entered: 2, kept_out: { reentry: 1 }, mails: 2, people: 1 })
  const conditions = { ...NO_CONDITIONS, reentry: { mode: 'always' as const } }
  const action = await aScenario(merchant, { name: '毎回', form, conditions })
  expect(await run(merchant, action.id)).toMatchObject({ entered: 3, kept_out: {}, mails: 3 })
})

test('the first and the second purchase are distinguished, as of that day', async () => {
  const { emailId, customer, order, rehearse } = await shop()
  const [again, once] = [await customer(), await customer()]
  await order(again, daysAgo(120))
  await order(again, daysAgo(50))
  await order(once, daysAgo(50))
  await order(once, daysAgo(10))
  const rehearsal = await rehearse('FirstPurchaseAction', { email: emailId, days: 0 })
  expect(rehearsal).toMatchObject({ events: 1, entered: 1, kept_out: {}, mails: 1 })
  const second = await rehearse('NthPurchaseAction', { email: emailId, days: 0, count: 2 })
  expect(second).toMatchObject({ events: 2, entered: 2, mails: 2 })
})

test('a condition on the number of orders is also answered as of that day', async () => {
  const { merchant, emailId, customer, order } = await shop()
  const person = await customer()
  await order(person, daysAgo(50))
  await order(person, daysAgo(10))
  const form = { email: emailId, days: 0 }
  const body = { name: '二回目', form }
  const action = await aScenario(merchant, body)
  const condition = {
    type: 'condition' as const,
    id: 'c',
    category: 'orders',
    name: 'orders_count',
    operator: 'equals',
    value: 2,
  }
  const rehearsal = await run(merchant, action.id, { ...action.flow, condition })
  expect(rehearsal).toMatchObject({ events: 2, entered: 1, kept_out: { condition: 1 }, mails: 1 })
})

test('an incomplete condition lets no one in, and the rehearsal finishes', async () => {
  const { merchant, emailId, customer, order } = await shop()
  await order(await customer(), daysAgo(50))
  const action = await aScenario(merchant, { name: '下書き', form: { email: emailId, days: 0 } })
  const condition = {
    type: 'condition' as const,
    id: 'c',
    category: 'emails',
    name: 'last_sent_at',
    operator: 'after',
    value: ['x'],
  }
  const rehearsal = await run(merchant, action.id, { ...action.flow, condition })
  expect(rehearsal).toMatchObject({ status: 'done', events: 1, entered: 0, mails: 0 })
})

test('a purchase ends a win-back before its second email', async () => {
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
  // 30 days after day 60 both enter; the customer who bought on day 29 gets only the first email.
  expect(rehearsal.by_node).toMatchObject([
    { node_id: 'email', entered: 2, mails: 2, stuck: 0 },
    { node_id: 'email2_wait', entered: 2, mails: 0, stuck: 0 },
    { node_id: 'email2', entered: 1, mails: 1, stuck: 0 },
  ])
})

test('each entry without a message has its reason', async () => {
  const { merchant, customer, emailId, order } = await shop()
  const { db } = okaeri.context
  const people: string[] = []
  for (let at = 0; at < 6; at += 1) people.push(await customer({ consent: at !== 0 }))
  const [, bounced, nowhere, back] = people
  for (const person of people) await order(person, daysAgo(40))
  await order(back as string, daysAgo(39))
  await sql`insert into suppressions (merchant_id, id, channel, address_key, reason, created_at)
    values (${merchant.id}, ${newId()}, 'email', ${`${bounced}@customer.test`}, 'hard_bounce', now())`.execute(db)
  await sql`update customers set email = null, email_key = null
    where merchant_id = ${merchant.id} and id = ${nowhere}`.execute(db)
  const flow = flowOf([waitNode('wait', 'mail', 3), mailNode('mail', emailId, null)], {
    reentry: { mode: 'once' },
    ends_on: ['bought'],
  })
  const action = await aScenario(merchant, { name: 'お礼', form: { days: 1, email: emailId } })
  const rehearsal = await run(merchant, action.id, flow)
  expect(rehearsal).toMatchObject({ entered: 6, mails: 2, kept_out: { reentry: 1 } })
  expect(rehearsal.without_message).toEqual({ no_consent: 1, suppressed: 1, no_address: 1, bought: 1 })
  const tagOnly = await run(merchant, action.id, flowOf([waitNode('wait', null, 3)]))
  expect(tagOnly.without_message).toEqual({ other_way: 7 })
})

test('who asked for a notice of stock gets the message that answers without any other permission, and none after it', async () => {
  const { merchant, customer, emailId } = await shop()
  const person = await customer({ consent: false })
  await okaeri.query`insert into events (merchant_id, id, kind, key, customer_id, occurred_at, created_at)
    values (${merchant.id}, ${newId()}, 'product_restocked', 'k', ${person}, ${daysAgo(20)}, ${daysAgo(20)})`
  const action = await aScenario(merchant, { name: '再入荷', form: { days: 1, email: emailId } })
  const flow = flowOf([mailNode('one', emailId, 'wait'), waitNode('wait', 'two', 1), mailNode('two', emailId, null)], {
    trigger: { kind: 'product_restocked' },
  })
  const rehearsal = await run(merchant, action.id, flow)
  expect(rehearsal).toMatchObject({ entered: 1, mails: 1, without_message: {} })
})

test('LINE messages are counted beside mails, for those who are friends now', async () => {
  const { merchant, emailId, customer, order } = await shop()
  const [friend, other] = [await customer(), await customer()]
  for (const person of [friend, other]) await order(person, daysAgo(20))
  await okaeri.query`insert into line_friends (merchant_id, line_user_id, customer_id, is_friend, changed_at, created_at)
    values (${merchant.id}, ${`U${'0'.repeat(32)}`}, ${friend}, true, now(), now())`
  const line = lineNode('line', (await aLineMessage(merchant)).id, 'later')
  const flow = flowOf([line, waitNode('later', 'mail', 1), mailNode('mail', emailId, null)])
  const action = await aScenario(merchant, { name: 'お礼', form: { days: 1, email: emailId } })
  const rehearsal = await run(merchant, action.id, flow)
  expect(rehearsal).toMatchObject({ mails: 2, line_messages: 1, people: 2, most_to_one: 2 })
  expect(rehearsal.per_day).toMatchObject([
    { mails: 0, line_messages: 1 },
    { mails: 2, line_messages: 0 },
  ])
  const gone = flowOf([lineNode('line', null, null)])
  expect((await run(merchant, action.id, gone)).by_node).toMatchObject([{ entered: 2, line_messages: 0, stuck: 2 }])
})

test('birthdays come on their days', async () => {
  const { emailId, customer, rehearse } = await shop()
  for (const days of [20, 120]) await customer({ birthday: `1992-${daysAgo(days).toISOString().slice(5, 10)}` })
  const rehearsal = await rehearse('BirthdayAction', { email: emailId, hour: 12 })
  expect(rehearsal).toMatchObject({ events: 1, entered: 1, mails: 1 })
})

test('everyone gets stuck at a missing email', async () => {
  const { merchant, customer, order } = await shop()
  await order(await customer(), daysAgo(10))
  const action = await aScenario(merchant, { name: 'お礼', form: { days: 1 } })
  const rehearsal = await run(merchant, action.id)
  expect(rehearsal).toMatchObject({ entered: 1, mails: 0 })
  expect(rehearsal.by_node).toContainEqual({ node_id: 'email', entered: 1, mails: 0, line_messages: 0, stuck: 1 })
})

test('an unsaved flow can be rehearsed; only the last rehearsal is kept', async () => {
  const { merchant, emailId, customer, order } = await shop()
  await order(await customer(), daysAgo(10))
  const action = await aScenario(merchant, { name: 'お礼', form: { days: 30, email: emailId } })
  const saved = await run(merchant, action.id)
  expect(saved.mails).toBe(0)
  const other = await run(merchant, action.id, followUp(emailId))
  expect(other.mails).toBe(1)
})

test('every seven days means the seventh calendar day, as in real runs', () => {
  const events = ['2026-05-01T15:00', '2026-05-08T10:00', '2026-05-14T23:00', '2026-05-15T09:00'].map((at) => ({
    customerId: 'hanako',
    at: Date.parse(`${at}:00+09:00`),
  }))
  const steps = rehearse(flowOf([], { reentry: { mode: 'every_days', days: 7 } }), events, {
    scenarioId: newId(),
    timezone: 'Asia/Tokyo',
    until: Number.MAX_SAFE_INTEGER,
    meets: () => true,
    isNotifiedByRegistration: () => false,
    happened: () => [],
    usualDays: () => null,
    whyNot: () => null,
    leavesAt: (at) => at,
    contents: new Set(),
  })
  let step = steps.next()
  while (!step.done) step = steps.next()
  expect(step.value.entered).toBe(3)
  expect([...step.value.keptOut]).toEqual([['reentry', 1]])
})

test('a metafield can be named by its id, as in real runs', async () => {
  const { merchant, emailId, customer } = await shop()
  const [customerId, settingId] = [await customer(), newId()]
  const { db } = okaeri.context
  await sql`insert into metafield_settings (merchant_id, id, namespace_type, namespace, key, name, value_type, status, created_at, updated_at)
    values (${merchant.id}, ${settingId}, 'platform', 'custom', 'renewal', '更新日', 'date', 'ready', now(), now())`.execute(
    db,
  )
  const day = daysAgo(20).toISOString().slice(0, 10)
  await sql`insert into customer_metafields (merchant_id, customer_id, metafield_setting_id, value, value_at, updated_at)
    values (${merchant.id}, ${customerId}, ${settingId}, ${day}, ${`${day}T00:00:00Z`}::timestamptz, now())`.execute(db)
  const flow = { ...followUp(emailId), reentry: { mode: 'always' as const } }
  const action = await aScenario(merchant, { name: 'お礼', form: { days: 1, email: emailId } })
  for (const metafield of ['custom.renewal', settingId]) {
    const trigger = { kind: 'metafield_date' as const, metafield, offset_days: 0, every_year: false, time: '12:00' }
    expect(await run(merchant, action.id, { ...flow, trigger })).toMatchObject({ events: 1, entered: 1 })
  }
})

test('a wait after a message that would wait for the sending hours begins when it leaves', () => {
  const at = Date.parse('2026-05-01T22:00:00+09:00')
  const opening = Date.parse('2026-05-02T08:00:00+09:00')
  const emailId = newId()
  const flow = flowOf([
    mailNode('one', emailId, 'b'),
    { id: 'b', kind: 'branch', settings: { condition: null }, next: { yes: 'w', no: 'w' } },
    waitNode('w', 'two', 2, 'hours'),
    mailNode('two', emailId, null),
  ])
  const steps = rehearse(flow, [{ customerId: 'hanako', at }], {
    scenarioId: newId(),
    timezone: 'Asia/Tokyo',
    until: Number.MAX_SAFE_INTEGER,
    meets: () => true,
    isNotifiedByRegistration: () => false,
    happened: () => [],
    usualDays: () => null,
    whyNot: () => null,
    leavesAt: (at) => Math.max(at, opening),
    contents: new Set([emailId.toLowerCase()]),
  })
  let step = steps.next()
  while (!step.done) step = steps.next()
  expect(step.value.samples[0]?.messages.map(({ at }) => at)).toEqual([opening, opening + 2 * 3_600_000])
})

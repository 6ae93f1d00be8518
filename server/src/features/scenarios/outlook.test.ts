import { getOutlook } from '@okaeri/contract/scenarios/outlook'
import { enableScenario, stopScenario } from '@okaeri/contract/scenarios/routes'
import { sql } from 'kysely'
import { DateTime } from 'luxon'
import { expect, test } from 'vitest'
import { addCustomers } from '../../../test/fixtures.ts'
import { addExecutions, addScenario, flowOf, waitNode } from '../../../test/scenarios.ts'
import { okaeri, withOkaeri } from '../../../test/with-okaeri.ts'
import { aScenario } from '../../../test/builders/scenario.ts'
import { anEmail } from '../../../test/builders/email.ts'
import { aLineMessage } from '../../../test/builders/line-message.ts'

withOkaeri()

const DAY_MS = 86_400_000

test('before a birthday scenario is enabled, it says how many customers come next, from which sender, and with which coupon', async () => {
  const merchant = await okaeri.merchant()
  const { db } = okaeri.context
  const email = await anEmail(merchant, { name: '誕生日', subject: 'おめでとうございます', from_name: '店長' })
  const message = await aLineMessage(merchant)
  const action = await aScenario(merchant, {
    name: '誕生日',
    template: 'BirthdayAction',
    form: { email: email.id, email_line: message.id, hour: 9, dayago: 0, discount: true, discount_ratio: 15 },
  })
  const look = async () => (await merchant.call(getOutlook, { params: { id: action.id } })).outlook
  const { next_day: nextDay, ...rest } = await look()
  expect(nextDay?.people).toBe(0)
  expect(rest).toMatchObject({ held: 0, held_late: 0, emails: 1, line_messages: 1, senders: [{ name: '店長' }] })
  expect(rest.coupons).toMatchObject([{ ratio_percent: 15 }])
  const day = DateTime.fromISO(nextDay?.at ?? '', { zone: 'Asia/Tokyo' })
  expect(day.hour).toBe(9)
  expect(day.toMillis()).toBeGreaterThan(merchant.scope().now.getTime())
  const [born, other] = await addCustomers(merchant.scope(), [{}, {}])
  await sql`update customers set birthday = ${`1992-${day.toFormat('MM-dd')}`}::date
    where merchant_id = ${merchant.id} and id = ${born ?? ''}`.execute(db)
  await sql`update customers set birthday = ${`1992-${day.plus({ days: 3 }).toFormat('MM-dd')}`}::date
    where merchant_id = ${merchant.id} and id = ${other ?? ''}`.execute(db)
  expect((await look()).next_day?.people).toBe(1)
})

test('for a stopped scenario, it says how many continue at once, and how many ask first', async () => {
  const merchant = await okaeri.merchant()
  const customers = await addCustomers(merchant.scope(), [{}, {}, {}])
  const scenario = await addScenario(merchant.scope(), flowOf([waitNode('wait', null, 2)]))
  const look = async () => (await merchant.call(getOutlook, { params: { id: scenario } })).outlook
  await addExecutions(
    merchant.scope(),
    scenario,
    customers.map((customerId) => ({ customerId })),
  )
  await okaeri.settle()
  await merchant.call(stopScenario, { params: { id: scenario } })
  expect(await look()).toMatchObject({
    held: 0,
    waiting: 3,
    next_day: null,
    emails: 0,
    line_messages: 0,
    senders: [],
    coupons: [],
  })
  okaeri.advance(2 * DAY_MS + 1000)
  await okaeri.settle()
  expect(await look()).toMatchObject({ held: 3, held_late: 0, waiting: 0 })
  okaeri.advance(2 * DAY_MS)
  expect(await look()).toMatchObject({ held: 3, held_late: 3 })
  await merchant.call(enableScenario, { params: { id: scenario } })
  expect(await look()).toMatchObject({ held: 0 })
})
